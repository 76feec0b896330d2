package io.lazuli.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClientBuilder;
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
 * The README's Java code stands in this module too, between {@code // snippet} and {@code // end},
 * where it is compiled. Indentation and empty lines do not count, and … stands for anything.
 */
class ReadmeTest {
  private static final Pattern CODE = Pattern.compile("(?ms)^```java\\R(.*?)^```$");
  private static final Pattern SNIPPET = Pattern.compile("(?ms)^ *// snippet\\R(.*?)^ *// end$");

  @Test
  void itsCodeIsCompiled() throws IOException {
    List<String> shown = found(CODE, Files.readString(Path.of("..", "README.md")));
    List<String> compiled = snippets(Path.of("src"));
    assertThat(shown).as("the README's Java code").hasSize(2);
    assertThat(compiled).as("// snippet in the examples").hasSize(2);
    assertThat(shown)
        .allSatisfy(code -> assertThat(compiled).anySatisfy(snippet -> show(code, snippet)));
  }

  @Test
  void codeMayBeIndentedAndShortened() {
    show("a(\n  b);\n…\nz();\n", "    a(\n      b);\n    c();\n\n    z();\n");
  }

  @Test
  void codeThatDiffersIsFound() {
    assertThatThrownBy(() -> show("a();\n…\nz();", "a();\nb();\ny();"))
        .isInstanceOf(AssertionError.class);
  }

  private static void show(String code, String snippet) {
    String pattern =
        Arrays.stream(plain(code).split("…", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*"));
    assertThat(plain(snippet)).matches(Pattern.compile(pattern, Pattern.DOTALL));
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

  /** Not run: the port that it means may be somebody else's. */
  static TableClient connect() {
    // snippet
    TableClient employees =
        new TableServiceClientBuilder()
            .connectionString("UseDevelopmentStorage=true")
            .buildClient()
            .createTableIfNotExists("Employees");
    // end
    return employees;
  }
}
