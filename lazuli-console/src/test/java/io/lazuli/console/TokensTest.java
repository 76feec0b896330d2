package io.lazuli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Contrast of the colours, computed from tokens.css as WCAG 2.2 defines it. */
class TokensTest {
  private static final String TOKENS =
      ConsoleFiles.text(ConsoleFiles.ROOT.resolve("css/tokens.css"));
  private static final Pattern BLOCK =
      Pattern.compile(":root\\[data-theme=\"(light|dark)\"\\]\\s*\\{(.*?)\\n\\}", Pattern.DOTALL);
  private static final Pattern COLOUR = Pattern.compile("--([\\w-]+):\\s*(#[0-9a-f]{6})");
  private static final List<String> GROUNDS = List.of("bg", "surface", "sunk", "hover", "select");
  private static final double TEXT = 4.5;
  private static final double MARK = 3;

  private static Map<String, Map<String, String>> themes() {
    Map<String, Map<String, String>> themes = new HashMap<>();
    Matcher block = BLOCK.matcher(TOKENS);
    while (block.find()) {
      Map<String, String> colours = new HashMap<>();
      Matcher colour = COLOUR.matcher(block.group(2));
      while (colour.find()) {
        colours.put(colour.group(1), colour.group(2));
      }
      themes.put(block.group(1), colours);
    }
    assertThat(themes).containsOnlyKeys("light", "dark");
    return themes;
  }

  @Test
  void textCanBeReadOnEveryGround() {
    themes()
        .forEach(
            (theme, colours) -> {
              for (String text : List.of("text", "text-2", "text-3", "accent")) {
                for (String ground : GROUNDS) {
                  check(theme, colours, text, ground, TEXT);
                }
              }
              for (String kind : List.of("ok", "gold", "bad", "warn")) {
                check(theme, colours, kind, kind + "-tint", TEXT);
                check(theme, colours, kind, "surface", TEXT);
              }
              for (String syntax : List.of("prop", "op", "str", "num", "fn")) {
                check(theme, colours, "syn-" + syntax, "surface", TEXT);
                check(theme, colours, "syn-" + syntax, "sunk", TEXT);
              }
              check(theme, colours, "on-accent", "accent", TEXT);
              check(theme, colours, "on-accent", "accent-2", TEXT);
              check(theme, colours, "text", "gold-tint", TEXT);
              check(theme, colours, "accent", "tint", TEXT);
            });
  }

  @Test
  void marksAndBordersCanBeSeen() {
    themes()
        .forEach(
            (theme, colours) -> {
              check(theme, colours, "control", "surface", MARK);
              check(theme, colours, "gold-mark", "surface", MARK);
              check(theme, colours, "gold-mark", "gold-tint", MARK);
              check(theme, colours, "accent", "surface", MARK);
            });
  }

  @Test
  void theHeatRampReadsInGrey() {
    for (Map.Entry<String, Map<String, String>> theme : themes().entrySet()) {
      double[] steps =
          Stream.of(0, 1, 2, 3, 4, 5)
              .mapToDouble(i -> luminance(theme.getValue().get("heat-" + i)))
              .toArray();
      for (int i = 1; i < steps.length; i++) {
        double d = steps[i] - steps[i - 1];
        assertThat("dark".equals(theme.getKey()) ? d : -d)
            .as("%s %d", theme.getKey(), i)
            .isPositive();
      }
    }
  }

  /** A view uses names: a colour outside tokens.css is a second set of colours. */
  @Test
  void coloursComeOnlyFromTokens() {
    String style = ConsoleFiles.text(ConsoleFiles.ROOT.resolve("css/console.css"));
    assertThat(Pattern.compile("#[0-9a-fA-F]{3,8}\\b|rgb\\(").matcher(style).find()).isFalse();
  }

  private static void check(
      String theme, Map<String, String> colours, String text, String ground, double least) {
    assertThat(colours).containsKeys(text, ground);
    assertThat(ratio(colours.get(text), colours.get(ground)))
        .as("%s on %s, %s", text, ground, theme)
        .isGreaterThanOrEqualTo(least);
  }

  private static double ratio(String a, String b) {
    double x = luminance(a);
    double y = luminance(b);
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  }

  private static double luminance(String colour) {
    int rgb = Integer.parseInt(colour.substring(1), 16);
    return 0.2126 * linear(rgb >> 16)
        + 0.7152 * linear(rgb >> 8 & 255)
        + 0.0722 * linear(rgb & 255);
  }

  private static double linear(int channel) {
    double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
  }
}
