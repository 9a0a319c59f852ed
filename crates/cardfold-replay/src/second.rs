//! A second thread that decodes files ahead of their turn. What it decodes, and in what order that is given out, is as if it
//! were not there.

use std::collections::VecDeque;
use std::fs::File;
use std::panic;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::batch::Batch;
use crate::lines::Lines;

/// Files of which the next objects are being decoded, by the thread or by whoever needs them first.
#[derive(Debug)]
pub(crate) struct Second {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// A file of which the next objects are wanted.
#[derive(Debug)]
pub(crate) struct Job {
    /// The number of the source.
    pub(crate) source: usize,
    pub(crate) lines: Lines<File>,
    /// The objects, once it is done.
    pub(crate) batch: Batch,
    /// Bytes of lines that are wanted.
    pub(crate) bytes: usize,
}

#[derive(Debug, Default)]
struct Shared {
    desk: Mutex<Desk>,
    /// Told of every job that is put on the desk.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Desk {
    open: VecDeque<Job>,
    done: Vec<Job>,
    closed: bool,
}

impl Second {
    /// Starts the thread; nothing if the system has none to give.
    pub(crate) fn start() -> Option<Self> {
        let shared = Arc::new(Shared::default());
        let worker = Arc::clone(&shared);
        let thread = thread::Builder::new().name("cardfold-ahead".to_owned()).spawn(move || worker.work()).ok()?;
        Some(Self { shared, thread: Some(thread) })
    }

    /// Puts a job on the desk.
    pub(crate) fn give(&self, job: Job) {
        self.shared.desk().open.push_back(job);
        self.shared.changed.notify_one();
    }

    /// Takes the job of a source, done. One that nobody has begun yet is done here; while the thread is at it, another one
    /// is.
    pub(crate) fn take(&self, source: usize) -> Job {
        let mut desk = self.shared.desk();
        loop {
            if let Some(place) = desk.done.iter().position(|job| job.source == source) {
                return desk.done.swap_remove(place);
            }
            let own = desk.open.iter().position(|job| job.source == source);
            if let Some(mut job) = desk.open.remove(own.unwrap_or(0)) {
                drop(desk);
                job.run();
                if own.is_some() {
                    return job;
                }
                desk = self.shared.desk();
                desk.done.push(job);
            } else {
                desk = self.wait(desk);
            }
        }
    }

    fn wait<'d>(&self, desk: MutexGuard<'d, Desk>) -> MutexGuard<'d, Desk> {
        // A job that the thread dropped would never come: then what it died of is passed on.
        assert!(self.thread.as_ref().is_some_and(|thread| !thread.is_finished()), "the thread is at work");
        let waited = self.shared.changed.wait_timeout(desk, Duration::from_millis(100));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

impl Drop for Second {
    fn drop(&mut self) {
        self.shared.desk().closed = true;
        self.shared.changed.notify_all();
        if let Some(Err(cause)) = self.thread.take().map(JoinHandle::join)
            && !thread::panicking()
        {
            panic::resume_unwind(cause);
        }
    }
}

impl Job {
    fn run(&mut self) {
        self.batch.fill(&mut self.lines, self.bytes);
    }
}

impl Shared {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the thread does until nobody wants anything any more.
    fn work(&self) {
        let mut desk = self.desk();
        while !desk.closed {
            let Some(mut job) = desk.open.pop_front() else {
                desk = self.changed.wait(desk).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            drop(desk);
            job.run();
            desk = self.desk();
            desk.done.push(job);
            self.changed.notify_all();
        }
    }
}
