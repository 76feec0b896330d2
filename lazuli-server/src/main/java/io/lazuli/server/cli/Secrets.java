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
 * Takes keys from where other users of the machine do not see them, which they do on a command
 * line: {@code -} is a line of the standard input, {@code env:NAME} an environment variable. No
 * message holds what was given.
 */
final class Secrets {
  static final String HELP =
      "- for a line of the standard input, env:NAME for a variable, or the key";

  private final BufferedReader input;
  private final Map<String, String> environment;

  Secrets(InputStream input, Map<String, String> environment) {
    this.input = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
    this.environment = environment;
  }

  /** The standard input, for whatever else is read from it. */
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
      throw new ParameterException(asked, "a key is base64, and not empty");
    }
  }

  private String line(CommandLine asked) {
    try {
      String line = input.readLine();
      return line == null ? "" : line;
    } catch (IOException e) {
      throw new ParameterException(asked, "the standard input cannot be read");
    }
  }
}
