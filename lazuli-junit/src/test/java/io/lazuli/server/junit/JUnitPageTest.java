package io.lazuli.server.junit;

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
 * Checks that the Java code of docs/junit.md is part of a test that the build runs. Indentation,
 * comments and empty lines are ignored.
 */
class JUnitPageTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern CODE = Pattern.compile("(?ms)^```java\\R(.*?)^```$");

  @Test
  void theCodeOfThePageIsRun() throws IOException {
    String page = Files.readString(ROOT.resolve("docs").resolve("junit.md"));
    List<String> run = new ArrayList<>(sources(ROOT.resolve("examples/src/test")));
    run.addAll(sources(Path.of("src/test")));
    List<String> shown = CODE.matcher(page).results().map(code -> plain(code.group(1))).toList();
    assertThat(shown).hasSize(2).allMatch(code -> run.stream().anyMatch(all -> all.contains(code)));
  }

  private static List<String> sources(Path folder) throws IOException {
    List<String> sources = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        sources.add(plain(Files.readString(file)));
      }
    }
    return sources;
  }

  private static String plain(String code) {
    return code.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("/") && !line.startsWith("*"))
        .collect(Collectors.joining("\n"));
  }
}
