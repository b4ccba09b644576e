//! What serving over HTTP costs: the `tower` adapter on hyper beside a bare axum server that reads
//! a body and prints an answer, each a process with one thread, under 32 connections on loopback.
//!
//! `cargo bench --bench serve` asks them in turn and prints how many requests each answered, a
//! second and a second of its processor time. The second is what to look at: it does not change
//! when something else runs beside.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod client;
mod servers;

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How often each server is asked.
const TURNS: usize = 7;
/// Requests a turn, over all connections.
const REQUESTS: usize = 40_000;
/// What the adapter is meant to reach of the bare server.
const BAR: f64 = 0.90;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--server") {
        return servers::run(&arguments[at + 1]);
    }
    let mut servers = ["axum", "reprise", "plain fn"].map(Server::start);
    for server in &servers {
        // A server that gives another answer is not compared.
        client::check(server.address);
        client::load(server.address, REQUESTS / 10);
    }
    for _ in 0..TURNS {
        for server in &mut servers {
            server.turn();
        }
    }
    println!(
        "{:10}{:>14}{:>22}",
        "server", "a second", "a processor's second"
    );
    for server in &servers {
        let (wall, processor) = server.rates();
        println!("{:10}{wall:>14.0}{processor:>22.0}", server.name);
    }
    let [bare, ours, _] = servers.map(|server| server.rates());
    println!();
    println!("ratio a second: {:.3}", ours.0 / bare.0);
    println!(
        "ratio a processor's second: {:.3}, bar {BAR}",
        ours.1 / bare.1
    );
    if ours.1 / bare.1 < BAR {
        std::process::exit(1);
    }
}

/// A server of its own process, which ends when this one does.
struct Server {
    name: &'static str,
    process: Child,
    address: SocketAddr,
    /// How long each turn took, and how long the server's processor worked.
    turns: Vec<(Duration, Duration)>,
}

impl Server {
    fn start(name: &'static str) -> Self {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args(["--server", name])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let out = process.stdout.take().unwrap();
        BufReader::new(out).read_line(&mut line).unwrap();
        Self {
            name,
            process,
            address: line.trim().parse().unwrap(),
            turns: Vec::new(),
        }
    }

    fn turn(&mut self) {
        let (begin, worked) = (Instant::now(), self.worked());
        client::load(self.address, REQUESTS);
        let took = begin.elapsed();
        self.turns.push((took, self.worked() - worked));
    }

    /// How long its threads have run by now.
    fn worked(&self) -> Duration {
        let path = format!("/proc/{}/task", self.process.id());
        let threads = std::fs::read_dir(path).expect("this needs Linux");
        let nanos = threads.map(|thread| {
            let stat = std::fs::read_to_string(thread.unwrap().path().join("schedstat")).unwrap();
            stat.split(' ').next().unwrap().parse::<u64>().unwrap()
        });
        Duration::from_nanos(nanos.sum())
    }

    /// Requests a second and a processor's second, in the middle one of the turns.
    fn rates(&self) -> (f64, f64) {
        let middle = |pick: fn(&(Duration, Duration)) -> Duration| {
            let mut turns: Vec<_> = self.turns.iter().map(pick).collect();
            turns.sort();
            REQUESTS as f64 / turns[turns.len() / 2].as_secs_f64()
        };
        (middle(|turn| turn.0), middle(|turn| turn.1))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It ends by itself when its standard input does.
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}
