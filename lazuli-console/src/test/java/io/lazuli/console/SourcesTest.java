package io.lazuli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Rules for the files of the console that no browser is needed for: the policy, the texts, the
 * sizes.
 */
class SourcesTest {
  private static final long SCRIPT_BYTES_MAX = 150 << 10;
  private static final long FIRST_VIEW_BYTES_MAX = 40 << 10;
  private static final long STYLE_BYTES_MAX = 12 << 10;

  /** What makes markup or code of a text. The policy of the page refuses most of it at run time. */
  private static final List<Pattern> FORBIDDEN =
      List.of(
          Pattern.compile(
              "\\binnerHTML\\b|\\bouterHTML\\b|insertAdjacentHTML|createContextualFragment"),
          Pattern.compile("\\beval\\s*\\(|new\\s+Function\\b|\\bFunction\\s*\\("),
          Pattern.compile("document\\.write|DOMParser|srcdoc|javascript:(?!,)"),
          Pattern.compile("set(?:Timeout|Interval)\\(\\s*['\"`]"),
          Pattern.compile("setAttribute\\(\\s*['\"](?:style|on\\w+)['\"]"),
          Pattern.compile("https?://(?!www\\.w3\\.org/2000/svg|127\\.0\\.0\\.1…)"),
          Pattern.compile("document\\.cookie|sessionStorage"));

  private static final Pattern IMPORT =
      Pattern.compile("(?:from\\s+|import\\s+|import\\()'(\\.{1,2}/[^']+)'");
  private static final Pattern STATIC_IMPORT =
      Pattern.compile("^(?:import|export)[^(]*?from '([^']+)'", Pattern.MULTILINE);
  private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*(?://|\\*|/\\*).*$");

  /** Two words, the first with a capital: a sentence or a label that belongs into texts.js. */
  private static final Pattern SENTENCE = Pattern.compile("['`][A-Z][a-z]+ [a-z]+[^'`]*['`]");

  private static final Set<String> NO_SENTENCE = Set.of();

  @Test
  void nothingMakesMarkupOrCodeOfAText() {
    for (Path file : ConsoleFiles.all(".js")) {
      String source = COMMENT.matcher(ConsoleFiles.text(file)).replaceAll("");
      for (Pattern pattern : FORBIDDEN) {
        assertThat(pattern.matcher(source).results().map(r -> r.group()))
            .as("%s in %s", pattern, file)
            .isEmpty();
      }
    }
  }

  @Test
  void thePageHasNeitherScriptsNorStylesOfItsOwn() {
    String page = ConsoleFiles.text(ConsoleFiles.ROOT.resolve("index.html"));
    assertThat(page).doesNotContain("style=", "<style", "http:", "https:");
    assertThat(Pattern.compile("\\son\\w+=").matcher(page).find()).isFalse();
    assertThat(Pattern.compile("<script[^>]*>[^<]").matcher(page).find()).isFalse();
    assertThat(page).contains("<html lang=\"en\">", "<noscript>");
  }

  @Test
  void everyImportIsThere() {
    for (Path file : ConsoleFiles.all(".js")) {
      Matcher m = IMPORT.matcher(ConsoleFiles.text(file));
      while (m.find()) {
        assertThat(file.resolveSibling(m.group(1)).normalize()).as("import in %s", file).exists();
      }
    }
  }

  @Test
  void textsAreInModulesOfTheirOwn() {
    for (Path file : ConsoleFiles.all(".js")) {
      if (isTexts(file)) {
        continue;
      }
      String source = COMMENT.matcher(ConsoleFiles.text(file)).replaceAll("");
      assertThat(SENTENCE.matcher(source).results().map(r -> r.group()))
          .as("texts in %s", file)
          .allMatch(NO_SENTENCE::contains);
    }
  }

  /** The texts of all views, and those of one view that are loaded with it. */
  private static boolean isTexts(Path file) {
    return file.toString().endsWith("texts.js");
  }

  @Test
  void wordsFollowTheRules() {
    List<Path> files = ConsoleFiles.all(".js").stream().filter(SourcesTest::isTexts).toList();
    assertThat(files).contains(ConsoleFiles.ROOT.resolve("js/texts.js"));
    for (Path file : files) {
      String texts = ConsoleFiles.text(file);
      assertThat(texts).doesNotContainIgnoringCase("please", "oops", "successfully");
      assertThat(Pattern.compile("[a-z]!['`]").matcher(texts).find()).isFalse();
    }
  }

  @Test
  void scriptsAndStylesAreSmall() {
    assertThat(ConsoleFiles.gzipped(ConsoleFiles.all(".js"))).isLessThan(SCRIPT_BYTES_MAX);
    assertThat(ConsoleFiles.gzipped(ConsoleFiles.all(".css"))).isLessThan(STYLE_BYTES_MAX);
  }

  /** The server joins these modules into one file. */
  @Test
  void theFirstViewIsSmall() {
    Path js = ConsoleFiles.ROOT.resolve("js");
    List<Path> files =
        closure(
            List.of(js.resolve("app.js"), js.resolve("chart.js"), js.resolve("views/overview.js")));
    assertThat(ConsoleFiles.gzippedTogether(files)).isLessThan(FIRST_VIEW_BYTES_MAX);
  }

  /** The modules that are loaded with these, without those that are imported when a view opens. */
  private static List<Path> closure(List<Path> entries) {
    Set<Path> seen = new LinkedHashSet<>();
    Deque<Path> left = new ArrayDeque<>(entries);
    while (!left.isEmpty()) {
      Path file = left.remove().normalize();
      if (!seen.add(file)) {
        continue;
      }
      assertThat(Files.exists(file)).as("%s", file).isTrue();
      Matcher m = STATIC_IMPORT.matcher(ConsoleFiles.text(file));
      while (m.find()) {
        left.add(file.resolveSibling(m.group(1)));
      }
    }
    return List.copyOf(seen);
  }
}
