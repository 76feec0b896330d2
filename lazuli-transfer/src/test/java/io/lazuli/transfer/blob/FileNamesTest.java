package io.lazuli.transfer.blob;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Any name of a blob has a path that every file system accepts, and from which it can be read. */
class FileNamesTest {
  static final List<String> NAMES =
      List.of(
          "/",
          "//",
          "/a",
          "A",
          "a",
          "a/",
          "a/b",
          "a/b/c",
          "a//b",
          "a.",
          "a ",
          " a",
          ".",
          "..",
          "../x",
          "a/../b",
          ".hidden",
          "CON",
          "con.txt",
          "nul/aux",
          "a:b",
          "a\\b",
          "a*?\"<>|b",
          "a%b",
          "a%2Fb",
          "a%~",
          "%=",
          "%_",
          "a%~/b",
          "photo.jpg",
          "日本/ä€.txt",
          "a\u0001b",
          "x".repeat(1000),
          "日".repeat(300),
          "\ud83d\ude00".repeat(200));

  @Test
  void everyPathLeadsBackToItsName() {
    for (boolean ignoresCase : List.of(false, true)) {
      FileNames names = new FileNames(ignoresCase, List.of());
      Set<String> paths = new HashSet<>();
      for (String name : NAMES.stream().sorted().toList()) {
        String path = names.path(name);
        assertThat(FileNames.decode(path)).isEqualTo(name);
        assertThat(paths.add(ignoresCase ? path.toLowerCase(Locale.ROOT) : path)).as(path).isTrue();
        for (String element : path.split("/", -1)) {
          assertThat(element).isNotEmpty().doesNotMatch("(?s).*[<>:\"\\\\|?*\u0000-\u001f].*");
          assertThat(element).doesNotEndWith(".").doesNotEndWith(" ").isNotIn("con", "CON", "nul");
          assertThat(element.getBytes(StandardCharsets.UTF_8).length).isLessThan(255);
        }
      }
    }
  }

  /** A file and a folder cannot have the same name. */
  @Test
  void noFileHasTheNameOfAFolder() {
    FileNames names = new FileNames(false, List.of());
    Set<String> files = new HashSet<>();
    Set<String> folders = new HashSet<>();
    for (String name : NAMES.stream().sorted().toList()) {
      String path = names.path(name);
      files.add(path);
      for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
        folders.add(path.substring(0, slash));
      }
    }
    assertThat(files).doesNotContainAnyElementsOf(folders);
  }

  @Test
  void ordinaryNamesStayAsTheyAre() {
    FileNames names = new FileNames(false, List.of());
    assertThat(names.path("2026/11/18/photo (1).jpg")).isEqualTo("2026/11/18/photo (1).jpg");
    assertThat(names.path("Größe.txt")).isEqualTo("Größe.txt");
  }

  /** The state of a killed export has the prefixes. */
  @Test
  void aContinuedListingGivesTheSamePaths() {
    FileNames whole = new FileNames(false, List.of());
    FileNames first = new FileNames(false, List.of());
    assertThat(first.path("a")).isEqualTo(whole.path("a"));
    FileNames second = new FileNames(false, first.prefixes());
    assertThat(second.path("a/b")).isEqualTo(whole.path("a/b")).isEqualTo("a%~/b");
  }
}
