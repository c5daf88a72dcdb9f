//! Moments as people say them: a date, a time, or how long ago.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::{Error, Kind, Result};

/// Nanoseconds since 1970 of `2026-05-01`, `2026-05-01T12:30:00Z` or `2d` (ago; s, m, h, d, w).
pub(crate) fn parse(text: &str) -> Result<i64> {
    let text = text.trim();
    date(text).or_else(|| ago(text)).ok_or_else(|| {
        let message = format!("`{}` is no moment", crate::text::one_line(text, 40));
        Error::new(Kind::Usage, message).hint(
            "A date (2026-05-01), a time (2026-05-01T12:30:00Z) or how long ago (90m, 2d, 3w).",
        )
    })
}

/// Milliseconds since 1970 as a date and a time, in UTC.
pub(crate) fn shown(milliseconds: i64) -> String {
    let (mut days, seconds) =
        (milliseconds.div_euclid(86_400_000), milliseconds.rem_euclid(86_400_000) / 1000);
    let mut year = 1970;
    let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = |year: i64| if is_leap(year) { 366 } else { 365 };
    // Moments are of our time; the bound keeps nonsense from counting for ever.
    while days >= length(year) && year < 9999 {
        days -= length(year);
        year += 1;
    }
    let months = [31, if is_leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while month < 11 && days >= months[month] {
        days -= months[month];
        month += 1;
    }
    let (hour, minute) = (seconds / 3600, seconds / 60 % 60);
    format!("{year:04}-{:02}-{:02} {hour:02}:{minute:02}", month + 1, days + 1)
}

const SECOND: i64 = 1_000_000_000;

fn ago(text: &str) -> Option<i64> {
    let unit = text.chars().last()?;
    let seconds: i64 = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        'd' => 86_400,
        'w' => 7 * 86_400,
        _ => return None,
    };
    let digits = text.strip_suffix(unit)?.trim_end();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let back = digits.parse::<i64>().ok()?.checked_mul(seconds)?.checked_mul(SECOND)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_nanos();
    i64::try_from(now).ok()?.checked_sub(back)
}

fn date(text: &str) -> Option<i64> {
    let (day, time) = match text.split_once(['T', ' ']) {
        Some((day, time)) => (day, time.strip_suffix('Z').unwrap_or(time)),
        None => (text, "00:00:00"),
    };
    let numbers = |text: &str, sign: char| -> Option<Vec<i64>> {
        text.split(sign)
            .map(|part| {
                let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
                if is_number { part.parse().ok() } else { None }
            })
            .collect()
    };
    let [year, month, day] = numbers(day, '-')?.try_into().ok()?;
    let time = numbers(time, ':')?;
    let (hour, minute, second) = match time[..] {
        [hour, minute] => (hour, minute, 0),
        [hour, minute, second] => (hour, minute, second),
        _ => return None,
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days_of = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let length = *days_of.get(usize::try_from(month).ok()?.checked_sub(1)?)?;
    let is_legal = (1970..=2200).contains(&year)
        && (1..=length).contains(&day)
        && hour < 24
        && minute < 60
        && second < 60;
    if !is_legal {
        return None;
    }
    let before = |year: i64| year * 365 + (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400;
    let days = before(year) - before(1970)
        + days_of[..usize::try_from(month).ok()? - 1].iter().sum::<i64>()
        + day
        - 1;
    Some(((days * 24 + hour) * 60 + minute) * 60 * SECOND + second * SECOND)
}

#[cfg(test)]
mod tests {
    use super::{parse, shown};

    #[test]
    fn moments_are_shown_as_dates() {
        assert_eq!(shown(0), "1970-01-01 00:00");
        assert_eq!(shown(951_868_800_000 - 60_000), "2000-02-29 23:59");
        assert_eq!(shown(1_794_814_205_000), "2026-11-16 07:30");
    }

    #[test]
    fn moments_are_dates_or_so_long_ago() {
        assert_eq!(parse("1970-01-01").expect("a date"), 0);
        assert_eq!(parse("2000-03-01").expect("a date"), 951_868_800 * 1_000_000_000);
        assert_eq!(parse("2026-11-16T07:30:05Z").expect("a time"), 1_794_814_205 * 1_000_000_000);
        let day = parse("1d").expect("a day") - parse("2d").expect("two days");
        assert!((day - 86_400 * 1_000_000_000).abs() < 1_000_000_000);
        for wrong in [
            "",
            "d",
            "yesterday",
            "2026-02-29",
            "2026-13-01",
            "2026-1",
            "-1d",
            "1.5h",
            "99999999999999w",
            "２d",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
