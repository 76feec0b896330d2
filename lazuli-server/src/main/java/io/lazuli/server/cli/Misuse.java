package io.lazuli.server.cli;

import io.lazuli.server.config.Nearest;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Describes a wrong command line. It prints names but no values of options: the word after a
 * misspelt option may be a password, and the message may end up in the log of a build machine.
 */
final class Misuse {
  /**
   * Matches an option together with its value, because picocli quotes words of the command line
   * unchanged.
   */
  private static final Pattern OPTION_WITH_VALUE = Pattern.compile("'(-[^'=]*)=[^']*'");

  /** Matches the label of an option whose value is a secret. */
  private static final Pattern SECRET_LABEL = Pattern.compile(".*(KEY|PASSWORD).*");

  /** Matches a text that may be an account key. */
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9+/]{20,}={0,2}");

  private Misuse() {}

  /**
   * Returns the message for a command line that cannot be parsed.
   *
   * @param words the whole command line
   */
  static String message(ParameterException failure, List<String> words) {
    if (failure instanceof UnmatchedArgumentException unmatched) {
      return unknown(unmatched, words);
    }
    String message = String.valueOf(failure.getMessage());
    @Nullable String value = failure.getValue();
    String without =
        value == null || value.isEmpty()
            ? message
            : message.replace("'" + value + "'", "the value");
    return OPTION_WITH_VALUE.matcher(without).replaceAll("'$1'");
  }

  private static String unknown(UnmatchedArgumentException unmatched, List<String> words) {
    String first = unmatched.getUnmatched().get(0);
    CommandSpec spec = unmatched.getCommandLine().getCommandSpec();
    if (first.startsWith("-")) {
      int sign = first.indexOf('=');
      String option = sign < 0 ? first : first.substring(0, sign);
      return "unknown option " + option + Nearest.hint(option, spec.optionsMap().keySet());
    }
    if (!spec.subcommands().isEmpty()) {
      return unknownCommand(first, spec);
    }
    String word =
        mayBeSecret(first, spec, words)
            ? "word " + (words.indexOf(first) + 1) + " of the command line"
            : first;
    return word + " belongs to no option";
  }

  private static String unknownCommand(String name, CommandSpec spec) {
    Set<String> known = new TreeSet<>(spec.subcommands().keySet());
    if (spec.parent() == null) {
      if (Main.PROGRAMS.contains(name)) {
        return name + " is a program of its own; the start script lazuli runs it";
      }
      known.addAll(Main.PROGRAMS);
    }
    return "unknown command " + name + Nearest.hint(name, known);
  }

  /**
   * Returns whether a word that belongs to no option may be a secret: the second half of a password
   * with a space, or a key without its option.
   */
  private static boolean mayBeSecret(String word, CommandSpec spec, List<String> words) {
    return KEY.matcher(word).matches()
        || spec.options().stream()
            .anyMatch(option -> takesSecret(option) && isGiven(option, words));
  }

  private static boolean takesSecret(OptionSpec option) {
    return SECRET_LABEL.matcher(option.paramLabel()).matches();
  }

  private static boolean isGiven(OptionSpec option, List<String> words) {
    return words.stream()
        .map(word -> word.split("=", 2)[0])
        .anyMatch(name -> List.of(option.names()).contains(name));
  }
}
