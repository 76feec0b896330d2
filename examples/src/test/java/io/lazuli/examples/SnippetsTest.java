package io.lazuli.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that the Java code of the README and of the tutorial also appears in this module, between
 * {@code // snippet} and {@code // end}, where it is compiled. Indentation and empty lines are
 * ignored, and … matches any text. Also checks that {@code README.md} of this module lists all
 * programs.
 */
class SnippetsTest {
  private static final Pattern CODE = Pattern.compile("(?ms)^```java\\R(.*?)^```$");
  private static final Pattern LISTED = Pattern.compile("(?m)^\\| `(\\w+)` \\|");
  private static final Pattern SNIPPET = Pattern.compile("(?ms)^ *// snippet\\R(.*?)^ *// end$");

  @Test
  void theCodeOfDocumentsIsCompiled() throws IOException {
    List<String> shown = documents();
    List<String> compiled = snippets(Path.of("src"));
    assertThat(shown).as("Java code in README.md and docs/patterns.md").isNotEmpty();
    assertThat(shown).allMatch(code -> compiled.stream().anyMatch(snippet -> shows(code, snippet)));
    assertThat(compiled)
        .as("snippets that appear in a document")
        .allMatch(snippet -> shown.stream().anyMatch(code -> shows(code, snippet)));
  }

  private static List<String> documents() throws IOException {
    List<String> shown = new ArrayList<>(found(CODE, Files.readString(Path.of("..", "README.md"))));
    shown.addAll(found(CODE, Files.readString(Path.of("..", "docs", "patterns.md"))));
    return shown;
  }

  @Test
  void everyProgramIsListed() throws IOException {
    Path folder = Path.of("src", "main", "java", "io", "lazuli", "examples");
    List<String> programs = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (Files.readString(file).contains("static void main(")) {
          programs.add(file.getFileName().toString().replace(".java", ""));
        }
      }
    }
    assertThat(found(LISTED, Files.readString(Path.of("README.md"))))
        .containsExactlyInAnyOrderElementsOf(programs);
  }

  @Test
  void codeMayBeIndentedAndShortened() {
    assertThat(shows("a(\n  b);\n…\nz();\n", "    a(\n      b);\n    c();\n\n    z();\n")).isTrue();
  }

  @Test
  void codeThatDiffersIsFound() {
    assertThat(shows("a();\n…\nz();", "a();\nb();\ny();")).isFalse();
  }

  private static boolean shows(String code, String snippet) {
    String pattern =
        Arrays.stream(plain(code).split("…", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*"));
    return Pattern.compile(pattern, Pattern.DOTALL).matcher(plain(snippet)).matches();
  }

  private static String plain(String code) {
    return code.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .collect(Collectors.joining("\n"));
  }

  private static List<String> snippets(Path folder) throws IOException {
    List<String> snippets = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        snippets.addAll(found(SNIPPET, Files.readString(file)));
      }
    }
    return snippets;
  }

  private static List<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(result -> result.group(1)).toList();
  }
}
