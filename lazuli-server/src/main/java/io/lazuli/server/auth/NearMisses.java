package io.lazuli.server.auth;

import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountKey;
import io.lazuli.server.http.PercentEncoding;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the mistake that led to a wrong signature. It applies one or two mistakes that clients are
 * known to make, signs the result with every key that the client may have used, and compares with
 * the signature that was sent.
 *
 * @param <D> the type that the mistakes change
 */
final class NearMisses<D> {
  /**
   * A mistake that clients make.
   *
   * @param says the condition under which the signature would be correct; it completes the sentence
   *     "this signature would be correct if"
   * @param made returns the draft with the mistake, or null if the mistake does not apply
   */
  record Mistake<D>(String says, Function<D, @Nullable D> made) {}

  private record Signer(String says, AccountKey key) {}

  private record Reading(String says, String signature) {}

  private final D draft;
  private final List<Mistake<D>> mistakes;
  private final Function<D, String> text;
  private final Charset charset;

  NearMisses(D draft, List<Mistake<D>> mistakes, Function<D, String> text, Charset charset) {
    this.draft = draft;
    this.mistakes = mistakes;
    this.text = text;
    this.charset = charset;
  }

  /**
   * Returns the conditions under which the signature would be correct; null if no known mistake
   * explains it.
   */
  @Nullable String explain(String sent, Account account, List<Account> others) {
    List<Signer> signers = signers(account, others);
    List<Reading> readings = readings(sent);
    for (Map.Entry<String, String> guess : guesses().entrySet()) {
      for (Signer signer : signers) {
        String signature =
            Base64.getEncoder().encodeToString(signer.key.sign(guess.getValue().getBytes(charset)));
        for (Reading reading : readings) {
          if (isSame(reading.signature, signature)) {
            return Stream.of(guess.getKey(), signer.says, reading.says)
                .filter(says -> !says.isEmpty())
                .collect(Collectors.joining(", and "));
          }
        }
      }
    }
    return null;
  }

  /** Of a signature that is not known any more, only the first letters are compared. */
  private static boolean isSame(String sent, String signature) {
    return SignatureExplainer.isCut(sent)
        ? signature.startsWith(sent.substring(0, sent.length() - 1))
        : sent.equals(signature);
  }

  /** Returns the texts that may have been signed, keyed by the mistake, the simplest first. */
  private Map<String, String> guesses() {
    Map<String, String> guesses = new LinkedHashMap<>();
    guesses.put("", text.apply(draft));
    for (Mistake<D> mistake : mistakes) {
      D made = mistake.made.apply(draft);
      if (made != null) {
        guesses.putIfAbsent(mistake.says, text.apply(made));
      }
    }
    for (int i = 0; i < mistakes.size(); i++) {
      D first = mistakes.get(i).made.apply(draft);
      for (int j = i + 1; first != null && j < mistakes.size(); j++) {
        D both = mistakes.get(j).made.apply(first);
        if (both != null) {
          guesses.putIfAbsent(
              mistakes.get(i).says + ", and " + mistakes.get(j).says, text.apply(both));
        }
      }
    }
    return guesses;
  }

  private static List<Signer> signers(Account account, List<Account> others) {
    List<Signer> signers = new ArrayList<>();
    account.keys().forEach(key -> signers.add(new Signer("", key)));
    for (AccountKey key : account.keys()) {
      byte[] undecoded = key.base64().getBytes(StandardCharsets.UTF_8);
      signers.add(
          new Signer(
              "the key were used as printed; it must be decoded from base64 first",
              new AccountKey(Base64.getEncoder().encodeToString(undecoded))));
    }
    for (Account other : others) {
      if (!other.name().equals(account.name())) {
        other
            .keys()
            .forEach(
                key ->
                    signers.add(
                        new Signer("the key belonged to the account " + other.name(), key)));
      }
    }
    return signers;
  }

  private static List<Reading> readings(String sent) {
    List<Reading> readings = new ArrayList<>();
    readings.add(new Reading("", sent));
    readings.add(
        new Reading("it had + where it has spaces; escape + as %2B", sent.replace(' ', '+')));
    readings.add(
        new Reading(
            "it used the standard base64 alphabet, with + and /",
            padded(sent.replace('-', '+').replace('_', '/'))));
    String decoded = PercentEncoding.decode(sent);
    if (decoded != null) {
      readings.add(new Reading("it were escaped one time fewer", decoded));
    }
    readings.add(new Reading("there were no quotes around it", sent.replaceAll("[\"']", "")));
    if (sent.matches("[0-9a-fA-F]{64}")) {
      byte[] bytes = HexFormat.of().parseHex(sent.toLowerCase(Locale.ROOT));
      readings.add(
          new Reading(
              "it were in base64, not in hexadecimal", Base64.getEncoder().encodeToString(bytes)));
    }
    return readings;
  }

  private static String padded(String base64) {
    return base64.length() == 43 ? base64 + "=" : base64;
  }
}
