package io.lazuli.server.account;

import io.lazuli.server.watch.RefusedFileException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the text of an accounts file: a line with the version of the format, then one
 * line per account. Empty lines and lines that begin with {@code #} are skipped. docs/formats.md
 * describes it completely.
 */
final class AccountFileText {
  private static final String HEAD = "lazuli accounts ";
  private static final int VERSION = 1;

  /** The version with options of accounts; a file without options has the version before. */
  private static final int WITH_OPTIONS = 2;

  private static final String BLOB_VERSIONING = "blob-versioning";
  private static final String BLOB_IMMUTABILITY = "blob-immutability";
  private static final String NO_SHARED_KEY = "no-shared-key";
  private static final String CONTAINER_RETENTION_DAYS = "container-retention-days";

  private AccountFileText() {}

  static String write(AccountSet set) {
    boolean options =
        set.accounts().stream().anyMatch(a -> !a.options().equals(AccountOptions.NONE));
    StringBuilder out = new StringBuilder(HEAD).append(options ? WITH_OPTIONS : VERSION);
    out.append('\n');
    for (Account account : set.accounts()) {
      out.append("account ").append(account.name()).append(' ');
      out.append(account.state().name().toLowerCase(Locale.ROOT));
      account.keys().forEach(key -> out.append(' ').append(key.base64()));
      out.append('\n');
      if (account.options().blobVersioning()) {
        writeOption(account, BLOB_VERSIONING, "on", out);
      }
      if (account.options().blobImmutability()) {
        writeOption(account, BLOB_IMMUTABILITY, "on", out);
      }
      if (account.options().containerRetentionDays() > 0) {
        String days = Integer.toString(account.options().containerRetentionDays());
        writeOption(account, CONTAINER_RETENTION_DAYS, days, out);
      }
      if (account.options().noSharedKey()) {
        writeOption(account, NO_SHARED_KEY, "on", out);
      }
    }
    return out.toString();
  }

  private static void writeOption(Account account, String name, String value, StringBuilder out) {
    out.append("option ").append(account.name()).append(' ').append(name).append(' ');
    out.append(value).append('\n');
  }

  /**
   * Parses the text of an accounts file.
   *
   * @throws RefusedFileException if the text is invalid; the message names the line but not its
   *     content, which may be a key
   */
  static AccountSet parse(String text) {
    String[] lines = text.split("\r?\n", -1);
    boolean options = hasOptions(lines[0].strip());
    List<Account> accounts = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (int i = 1; i < lines.length; i++) {
      String line = lines[i].strip();
      if (options && line.startsWith("option ")) {
        addOption(accounts, line, i + 1);
      } else if (!line.isEmpty() && !line.startsWith("#")) {
        Account account = parseLine(line, i + 1);
        if (!names.add(account.name())) {
          throw broken(i + 1, "the account appears twice");
        }
        accounts.add(account);
      }
    }
    return new AccountSet(accounts);
  }

  /** Adds an option to the account of the line before. */
  private static void addOption(List<Account> accounts, String line, int number) {
    String[] words = line.split("\\s+", -1);
    int last = accounts.size() - 1;
    if (last < 0 || words.length != 4 || !words[1].equals(accounts.get(last).name())) {
      throw broken(number, "it is not 'option NAME OPTION VALUE' after the account of that name");
    }
    Account account = accounts.get(last);
    AccountOptions options = withOption(account.options(), words[2], words[3], number);
    if (!options.isConsistent()) {
      throw broken(number, BLOB_IMMUTABILITY + " needs " + BLOB_VERSIONING + " in a line before");
    }
    accounts.set(last, account.withOptions(options));
  }

  private static AccountOptions withOption(
      AccountOptions options, String name, String value, int number) {
    return switch (name) {
      case BLOB_VERSIONING -> options.withBlobVersioning(isOn(value, number));
      case BLOB_IMMUTABILITY -> options.withBlobImmutability(isOn(value, number));
      case CONTAINER_RETENTION_DAYS -> options.withContainerRetentionDays(days(value, number));
      case NO_SHARED_KEY -> options.withNoSharedKey(isOn(value, number));
      default -> throw broken(number, "this server does not know the option");
    };
  }

  private static boolean isOn(String value, int number) {
    if (!value.equals("on") && !value.equals("off")) {
      throw broken(number, "the value must be on or off");
    }
    return value.equals("on");
  }

  private static int days(String value, int number) {
    if (!value.matches("[0-9]{1,3}")
        || Integer.parseInt(value) > AccountOptions.RETENTION_DAYS_MAX) {
      throw broken(
          number, "the value must be a number from 0 to " + AccountOptions.RETENTION_DAYS_MAX);
    }
    return Integer.parseInt(value);
  }

  /** Checks the version of the format. Returns whether it has options. */
  private static boolean hasOptions(String line) {
    if (!line.startsWith(HEAD)) {
      throw broken(1, "it is not '" + HEAD + VERSION + "'");
    }
    boolean options = line.equals(HEAD + WITH_OPTIONS);
    if (!options && !line.equals(HEAD + VERSION)) {
      throw broken(
          1,
          "this server reads only versions " + VERSION + " and " + WITH_OPTIONS + " of the format");
    }
    return options;
  }

  private static Account parseLine(String line, int number) {
    String[] words = line.split("\\s+", -1);
    if (words.length < 3 || !words[0].equals("account")) {
      throw broken(number, "it is not 'account NAME STATE KEY1 KEY2'");
    }
    try {
      AccountSet.requireName(words[1]);
    } catch (RefusedFileException e) {
      throw broken(number, e.getMessage());
    }
    Account.State state = state(words[2], number);
    Account account = new Account(words[1], keys(words, number), state);
    if (account.isPresent() ? account.keys().size() != 2 : !account.keys().isEmpty()) {
      throw broken(number, "an account must have two keys, a removed account none");
    }
    return account;
  }

  private static Account.State state(String word, int number) {
    for (Account.State state : Account.State.values()) {
      if (state.name().toLowerCase(Locale.ROOT).equals(word)) {
        return state;
      }
    }
    throw broken(number, "the state must be enabled, disabled, removed or dropping");
  }

  private static List<AccountKey> keys(String[] words, int number) {
    List<AccountKey> keys = new ArrayList<>();
    for (int i = 3; i < words.length; i++) {
      try {
        keys.add(AccountSet.requireSecret(new AccountKey(words[i])));
      } catch (RefusedFileException e) {
        throw broken(number, e.getMessage());
      } catch (IllegalArgumentException e) {
        throw broken(number, "key " + (i - 2) + " is not base64");
      }
    }
    return keys;
  }

  private static RefusedFileException broken(int line, @Nullable String why) {
    return new RefusedFileException("line " + line + ": " + why);
  }
}
