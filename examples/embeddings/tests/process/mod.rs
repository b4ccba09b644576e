//! An embedding as a process, which ends with its test.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

pub struct Process(Child);

impl Process {
    /// Starts one that listens where there is room. What it observes goes nowhere.
    pub fn start(program: &str) -> Self {
        let mut command = Command::new(program);
        command.arg("127.0.0.1:0");
        let piped = command.stdout(Stdio::piped()).stderr(Stdio::null());
        Self(piped.spawn().unwrap())
    }

    /// Where it listens: its first line says so.
    pub fn address(&mut self) -> SocketAddr {
        let out = self.0.stdout.take().unwrap();
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).unwrap();
        line.trim().parse().unwrap()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
