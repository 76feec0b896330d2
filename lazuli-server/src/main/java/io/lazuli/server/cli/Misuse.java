package io.lazuli.server.cli;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Describes a wrong command line. It prints names but no values: the word after a misspelt option
 * may be a password, and the message may end up in the log of a build machine.
 */
final class Misuse {
  /**
   * Matches an option together with its value, because picocli quotes words of the command line
   * unchanged.
   */
  private static final Pattern OPTION_WITH_VALUE = Pattern.compile("'(-[^'=]*)=[^']*'");

  private Misuse() {}

  static String message(ParameterException failure) {
    if (failure instanceof UnmatchedArgumentException unmatched) {
      return unknown(unmatched);
    }
    String message = String.valueOf(failure.getMessage());
    @Nullable String value = failure.getValue();
    String without =
        value == null || value.isEmpty()
            ? message
            : message.replace("'" + value + "'", "the value");
    return OPTION_WITH_VALUE.matcher(without).replaceAll("'$1'");
  }

  private static String unknown(UnmatchedArgumentException unmatched) {
    String first = unmatched.getUnmatched().get(0);
    if (first.startsWith("-")) {
      int sign = first.indexOf('=');
      return "unknown option " + (sign < 0 ? first : first.substring(0, sign));
    }
    boolean hasCommands = !unmatched.getCommandLine().getSubcommands().isEmpty();
    return hasCommands ? "unknown command " + first : "an argument belongs to no option";
  }
}
