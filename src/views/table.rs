//! Columns of text for a terminal.

use crate::report::escape;

/// Lines of cells under a header, columns two blanks apart. Texts are made safe to print; the last column keeps no
/// trailing blanks.
pub fn lay_out<const N: usize>(header: [&str; N], rows: &[[String; N]]) -> String {
    let rows: Vec<[String; N]> = rows.iter().map(|row| row.each_ref().map(|cell| escape(cell).into_owned())).collect();
    let header = header.map(str::to_owned);
    let width = |column: usize| {
        let cells = rows.iter().chain([&header]).map(|row| row[column].chars().count());
        cells.max().unwrap_or_default()
    };
    let widths: [usize; N] = std::array::from_fn(width);
    let mut text = String::new();
    for row in [&header].into_iter().chain(&rows) {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths) {
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', width + 2 - cell.chars().count()));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::lay_out;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [["shop".to_owned(), "dev".to_owned()], ["a".to_owned(), String::new()]];
        assert_eq!(lay_out(["NAME", "ENV"], &rows), "NAME  ENV\nshop  dev\na\n");
    }

    #[test]
    fn what_controls_a_terminal_is_shown_as_what_it_is() {
        assert_eq!(lay_out(["A"], &[["\u{1b}c".to_owned()]]), "A\n\\u{1b}c\n");
    }
}
