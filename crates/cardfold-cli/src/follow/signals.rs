//! Signals that end, stop or continue the program. A system that has none sends none.

use std::io;

/// What a signal asks for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Signal {
    /// The program goes on after a stop.
    Continue,
    /// The program is to end; the number says by what.
    End(i32),
    /// The program is to stop until it is continued.
    Stop,
}

#[cfg(unix)]
mod of_system {
    use std::thread;

    use rustix::process::{Signal as Number, kill_current_process_group};
    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::{Signal, io};

    /// Tells of the signals that end a program, and does nothing else about them any more.
    pub(crate) fn watch_ends(tell: impl FnMut(Signal) + Send + 'static) -> io::Result<()> {
        watch(&[SIGHUP, SIGINT, SIGQUIT, SIGTERM], tell)
    }

    /// Tells of those that stop and continue it too.
    pub(crate) fn watch_all(tell: impl FnMut(Signal) + Send + 'static) -> io::Result<()> {
        watch(&[SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP], tell)
    }

    fn watch(numbers: &[i32], mut tell: impl FnMut(Signal) + Send + 'static) -> io::Result<()> {
        let mut signals = Signals::new(numbers)?;
        thread::spawn(move || {
            for number in signals.forever() {
                tell(match number {
                    SIGCONT => Signal::Continue,
                    SIGTSTP => Signal::Stop,
                    number => Signal::End(number),
                });
            }
        });
        Ok(())
    }

    /// Ends the program by a signal, as if nobody had watched for it.
    pub(crate) fn end(number: i32) -> io::Result<()> {
        emulate_default_handler(number)
    }

    /// Stops the program, which is told to stop; comes back when it is continued.
    pub(crate) fn stop() -> io::Result<()> {
        emulate_default_handler(SIGTSTP)
    }

    /// Asks all programs of the same pipe to stop, this one too: what Ctrl-Z does where the terminal looks after it.
    pub(crate) fn ask_all_to_stop() -> io::Result<()> {
        Ok(kill_current_process_group(Number::TSTP)?)
    }
}

#[cfg(not(unix))]
mod of_system {
    use super::{Signal, io};

    pub(crate) fn watch_ends(_tell: impl FnMut(Signal) + Send + 'static) -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn watch_all(_tell: impl FnMut(Signal) + Send + 'static) -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn end(_number: i32) -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn stop() -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn ask_all_to_stop() -> io::Result<()> {
        Ok(())
    }
}

pub(crate) use of_system::{ask_all_to_stop, end, stop, watch_all, watch_ends};
