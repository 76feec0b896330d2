package io.lazuli.client.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that the Java code of the pages in {@code docs/patterns} also appears in a test or an
 * example, where it is compiled. Indentation and empty lines are ignored.
 */
class PatternPagesTest {
  private static final Pattern CODE = Pattern.compile("(?ms)^```java\\R(.*?)^```$");
  private static final int LINES_MAX = 50;

  @Test
  void theCodeOfPagesIsCompiled() throws IOException {
    List<String> compiled = texts(Path.of("src", "test"), ".java");
    compiled.addAll(texts(Path.of("..", "examples", "src"), ".java"));
    for (Path page : files(Path.of("..", "docs", "patterns"), ".md")) {
      List<String> shown = code(Files.readString(page));
      assertThat(shown).as("Java code of %s", page).isNotEmpty();
      for (String code : shown) {
        assertThat(compiled.stream().anyMatch(file -> shows(file, code)))
            .as("%s shows compiled code:%n%s", page, code)
            .isTrue();
      }
    }
  }

  @Test
  void pagesAreShort() throws IOException {
    assertThat(files(Path.of("..", "docs", "patterns"), ".md"))
        .isNotEmpty()
        .allSatisfy(page -> assertThat(Files.readAllLines(page)).hasSizeLessThan(LINES_MAX + 1));
  }

  @Test
  void codeMayBeIndented() {
    assertThat(shows("  a(\n      b);\n\n    c();\n", "a(\n  b);\nc();\n")).isTrue();
  }

  @Test
  void codeThatDiffersIsFound() {
    assertThat(shows("a();\nb();\n", "a();\nc();\n")).isFalse();
    assertThat(shows("za();\n", "a();\n")).isFalse();
  }

  private static boolean shows(String file, String code) {
    return plain(file).contains(plain(code));
  }

  /** Adds line ends on both sides, so that only whole lines match. */
  private static String plain(String code) {
    return code.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .collect(Collectors.joining("\n", "\n", "\n"));
  }

  private static List<String> code(String page) {
    return CODE.matcher(page).results().map(result -> result.group(1)).toList();
  }

  private static List<String> texts(Path folder, String ending) throws IOException {
    List<String> texts = new ArrayList<>();
    for (Path file : files(folder, ending)) {
      texts.add(Files.readString(file));
    }
    return texts;
  }

  private static List<Path> files(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(path -> path.toString().endsWith(ending)).sorted().toList();
    }
  }
}
