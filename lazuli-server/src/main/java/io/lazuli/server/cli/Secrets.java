package io.lazuli.server.cli;

import io.lazuli.server.account.AccountKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * Reads keys from places that other users of the machine cannot see, unlike a command line: {@code
 * -} is a line of the standard input, {@code env:NAME} an environment variable. No message contains
 * the given text.
 */
final class Secrets {
  static final String HELP =
      "The key itself, - to read it from the standard input, or env:NAME for a variable";

  private final BufferedReader input;
  private final Map<String, String> environment;

  Secrets(InputStream input, Map<String, String> environment) {
    this.input = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
    this.environment = environment;
  }

  /** Returns the value of the variable if the text is {@code env:NAME}, otherwise the text. */
  static String expanded(String given, Map<String, String> environment) {
    return given.startsWith("env:") ? environment.getOrDefault(given.substring(4), "") : given;
  }

  /** Returns the standard input, for other readers. */
  BufferedReader input() {
    return input;
  }

  AccountKey key(CommandLine asked, String given) {
    String text = given;
    if (given.equals("-")) {
      text = line(asked);
    } else if (given.startsWith("env:")) {
      text = environment.getOrDefault(given.substring(4), "");
    }
    try {
      return new AccountKey(text.strip());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(asked, "a key must be base64 and not empty");
    }
  }

  private String line(CommandLine asked) {
    try {
      String line = input.readLine();
      return line == null ? "" : line;
    } catch (IOException e) {
      throw new ParameterException(asked, "cannot read the standard input");
    }
  }
}
