//! A second thread that decodes files ahead of their turn. What it decodes, and in what order that is given out, is as if it
//! were not there.

use std::any::Any;
use std::collections::VecDeque;
use std::fs::File;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use crate::batch::Batch;
use crate::lines::Lines;

/// Files of which the next objects are being decoded, by the thread or by whoever needs them first.
#[derive(Debug)]
pub(crate) struct SecondThread {
    shared: Arc<Shared>,
    /// None once it was joined.
    thread: Option<JoinHandle<()>>,
}

/// A file of which the next objects are wanted. There is one job of a source at a time.
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
    jobs: Mutex<Jobs>,
    /// Told of every job that is added or done, and of the end.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Jobs {
    /// Those that nobody has begun, in the order in which they were added.
    open: VecDeque<Job>,
    done: Vec<Job>,
    /// Nobody wants anything any more.
    is_over: bool,
    /// What the thread died of.
    panic: Option<Box<dyn Any + Send>>,
}

impl SecondThread {
    /// Starts the thread; nothing if the system has none to give.
    pub(crate) fn start() -> Option<Self> {
        let shared = Arc::new(Shared::default());
        let worker = Arc::clone(&shared);
        let thread = thread::Builder::new().name("cardfold-second".to_owned()).spawn(move || worker.work()).ok()?;
        Some(Self { shared, thread: Some(thread) })
    }

    /// Adds a job.
    pub(crate) fn give(&self, job: Job) {
        self.shared.jobs().open.push_back(job);
        self.shared.changed.notify_one();
    }

    /// Takes the job of a source, done; it was given before. One that nobody has begun yet is done here. While the thread is
    /// at it, another job is done, or waited.
    pub(crate) fn take(&self, source: usize) -> Job {
        let mut jobs = self.shared.jobs();
        loop {
            if let Some(place) = jobs.done.iter().position(|job| job.source == source) {
                return jobs.done.swap_remove(place);
            }
            if let Some(cause) = jobs.panic.take() {
                // The job that the thread was at is lost with it.
                drop(jobs);
                panic::resume_unwind(cause);
            }
            let own = jobs.open.iter().position(|job| job.source == source);
            if let Some(mut job) = jobs.open.remove(own.unwrap_or(0)) {
                drop(jobs);
                job.run();
                if own.is_some() {
                    return job;
                }
                jobs = self.shared.jobs();
                jobs.done.push(job);
            } else {
                jobs = self.shared.wait(jobs);
            }
        }
    }
}

impl Drop for SecondThread {
    /// What the thread did since nobody wanted it is of no interest, also where it died of it.
    fn drop(&mut self) {
        self.shared.jobs().is_over = true;
        self.shared.changed.notify_all();
        drop(self.thread.take().map(JoinHandle::join));
    }
}

impl Job {
    fn run(&mut self) {
        self.batch.fill(&mut self.lines, self.bytes);
    }
}

impl Shared {
    /// Nothing can panic while it is locked, so that what it holds is sound.
    fn jobs(&self) -> MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'j>(&self, jobs: MutexGuard<'j, Jobs>) -> MutexGuard<'j, Jobs> {
        self.changed.wait(jobs).unwrap_or_else(PoisonError::into_inner)
    }

    /// What the thread does until nobody wants anything any more.
    fn work(&self) {
        let mut jobs = self.jobs();
        while !jobs.is_over {
            let Some(mut job) = jobs.open.pop_front() else {
                jobs = self.wait(jobs);
                continue;
            };
            drop(jobs);
            let run = panic::catch_unwind(AssertUnwindSafe(move || {
                job.run();
                job
            }));
            jobs = self.jobs();
            match run {
                Ok(job) => jobs.done.push(job),
                Err(cause) => {
                    jobs.panic = Some(cause);
                    jobs.is_over = true;
                }
            }
            self.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// A job of a file of three lines.
    fn job(source: usize) -> Job {
        let mut file = tempfile::tempfile().expect("a file can be made");
        writeln!(file, "{{\"type\":\"summary\"}}\n[]\n{{\"type\":\"summary\"}}").expect("a file can be written");
        std::io::Seek::rewind(&mut file).expect("a file can be rewound");
        Job { source, lines: Lines::new(file, 1_000), batch: Batch::default(), bytes: 1_000 }
    }

    fn lines_of(mut job: Job) -> Vec<u64> {
        std::iter::from_fn(|| job.batch.take().map(|taken| taken.line)).collect()
    }

    #[test]
    fn each_source_gets_its_own_job_back_in_any_order() {
        let second = SecondThread::start().expect("there is a thread to be had");
        for round in 0..200 {
            for source in 0..8 {
                second.give(job(source));
            }
            for source in 0..8 {
                let source = (source * 3 + round) % 8;
                let job = second.take(source);
                assert_eq!(job.source, source);
                assert_eq!(lines_of(job), [1, 2, 3]);
            }
        }
    }

    #[test]
    fn jobs_that_nobody_takes_keep_nobody_waiting() {
        for _ in 0..100 {
            let second = SecondThread::start().expect("there is a thread to be had");
            (0..8).for_each(|source| second.give(job(source)));
        }
    }

    #[test]
    fn what_the_thread_dies_of_is_passed_on_and_not_waited_for() {
        let second = SecondThread::start().expect("there is a thread to be had");
        {
            let mut jobs = second.shared.jobs();
            jobs.panic = Some(Box::new("boom"));
            jobs.is_over = true;
        }
        second.shared.changed.notify_all();
        let cause = panic::catch_unwind(AssertUnwindSafe(|| second.take(0))).expect_err("nobody does the job");
        assert_eq!(cause.downcast_ref::<&str>(), Some(&"boom"));
    }
}
