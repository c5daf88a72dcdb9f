//! Progress of long work: a bar on a terminal, plain lines elsewhere.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use index::{Progress, Silent};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

pub(crate) fn progress(quiet: bool) -> Arc<dyn Progress + Send> {
    let is_continuous_integration = std::env::var_os("CI").is_some();
    if quiet {
        Arc::new(Silent)
    } else if std::io::stderr().is_terminal() && !is_continuous_integration {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(10));
        Arc::new(Bar { bar })
    } else {
        Arc::new(Lines { total: AtomicU64::new(0), told: AtomicU64::new(0) })
    }
}

/// A line for people. If nobody reads them any more, the work goes on.
pub(crate) fn tell(line: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

struct Bar {
    bar: ProgressBar,
}

impl Progress for Bar {
    fn phase(&self, name: &'static str, total: u64) {
        let template =
            if total > 0 { "{msg:<8} {bar:32} {pos}/{len} {eta}" } else { "{msg:<8} {spinner}" };
        let style =
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        self.bar.set_style(style);
        self.bar.set_length(total);
        self.bar.set_position(0);
        self.bar.set_message(name);
        self.bar.enable_steady_tick(Duration::from_millis(100));
    }

    fn advance(&self, done: u64) {
        self.bar.set_position(done);
    }

    fn note(&self, text: &str) {
        self.bar.suspend(|| tell(ops::text::visible(text)));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A line for each phase, and for each tenth of a long one.
struct Lines {
    total: AtomicU64,
    told: AtomicU64,
}

impl Progress for Lines {
    fn phase(&self, name: &'static str, total: u64) {
        self.total.store(total, Ordering::Relaxed);
        self.told.store(0, Ordering::Relaxed);
        if total > 0 {
            tell(format_args!("{name}: {total} files"));
        } else {
            tell(name);
        }
    }

    fn advance(&self, done: u64) {
        let total = self.total.load(Ordering::Relaxed);
        let tenth = done * 10 / total.max(1);
        if total >= 2000 && tenth > self.told.swap(tenth, Ordering::Relaxed) {
            tell(format_args!("  {done}/{total}"));
        }
    }

    fn note(&self, text: &str) {
        tell(ops::text::visible(text));
    }
}
