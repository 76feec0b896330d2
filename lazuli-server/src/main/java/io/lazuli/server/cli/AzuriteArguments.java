package io.lazuli.server.cli;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Azurite's command line, parsed as Azurite does it (observed: Azurite 3.37.0). A word that follows
 * an option and does not begin with a dash is the option's value. The letters of {@code -sl DIR}
 * are options, and the last one has the value. Words that do not belong to an option are ignored.
 * If an option is repeated, its last value counts.
 *
 * @param values the values by option; empty for options without a value
 * @param unknown the first option that Azurite does not have either; null if there is none
 */
record AzuriteArguments(Map<AzuriteOption, String> values, @Nullable String unknown) {
  static AzuriteArguments parse(List<String> args) {
    Map<AzuriteOption, String> values = new EnumMap<>(AzuriteOption.class);
    for (Word word : Word.of(args)) {
      AzuriteOption option = AzuriteOption.find(word.name());
      if (option == null) {
        return new AzuriteArguments(values, word.name());
      }
      values.put(option, word.value());
    }
    return new AzuriteArguments(values, null);
  }

  boolean has(AzuriteOption option) {
    return values.containsKey(option);
  }

  /** An option as it was written, without dashes, and its value, which may be empty. */
  private record Word(String name, String value) {
    static List<Word> of(List<String> args) {
      List<Word> words = new ArrayList<>();
      for (int i = 0; i < args.size(); i++) {
        String arg = args.get(i);
        if (arg.equals("--")) {
          return words;
        }
        if (arg.startsWith("-") && arg.length() > 1) {
          boolean hasNext = i + 1 < args.size() && !args.get(i + 1).startsWith("-");
          add(words, arg, hasNext && !arg.contains("=") ? args.get(++i) : "");
        }
      }
      return words;
    }

    private static void add(List<Word> words, String arg, String next) {
      int sign = arg.indexOf('=');
      String name = sign < 0 ? arg : arg.substring(0, sign);
      String value = sign < 0 ? next : arg.substring(sign + 1);
      if (name.startsWith("--")) {
        words.add(new Word(name.substring(2), value));
        return;
      }
      for (int i = 1; i < name.length(); i++) {
        boolean last = i == name.length() - 1;
        words.add(new Word(name.substring(i, i + 1), last ? value : ""));
      }
    }
  }
}
