//! Running a step in tokio.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use ::tokio::task::{JoinHandle, spawn_blocking};

use crate::step::{Finished, Sink, Step};

/// A step that runs; `None` when the runtime shut down over it. Dropping it ends an async step
/// where it stands, and takes a plain one away that has not begun.
pub(super) type Run = Pin<Box<dyn Future<Output = Option<Finished>> + Send>>;

/// Runs an async step where it is polled, and a plain one on a blocking thread.
pub(super) fn run(step: Step, sink: &Sink) -> Run {
    if step.is_plain() {
        return Box::pin(Blocking::new(step, sink.clone()));
    }
    let run = step.run_async(sink);
    Box::pin(async move { Some(run.await) })
}

/// A plain step on its way to a thread, and on it.
struct Blocking {
    /// The runtime keeps a task that was aborted in its queue until a thread is free, and what it
    /// holds with it. So the step is not in the task.
    step: Arc<Mutex<Option<Step>>>,
    task: JoinHandle<Option<Finished>>,
}

impl Blocking {
    fn new(step: Step, sink: Sink) -> Self {
        let step = Arc::new(Mutex::new(Some(step)));
        let task = spawn_blocking({
            let step = Arc::clone(&step);
            move || take(&step).map(|step| step.run(&sink))
        });
        Self { step, task }
    }
}

fn take(step: &Mutex<Option<Step>>) -> Option<Step> {
    step.lock().unwrap_or_else(PoisonError::into_inner).take()
}

impl Future for Blocking {
    type Output = Option<Finished>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Finished>> {
        Pin::new(&mut self.task)
            .poll(context)
            .map(|ended| ended.ok().flatten())
    }
}

impl Drop for Blocking {
    fn drop(&mut self) {
        self.task.abort();
        drop(take(&self.step));
    }
}
