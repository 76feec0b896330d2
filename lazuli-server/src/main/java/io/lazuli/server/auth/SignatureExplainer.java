package io.lazuli.server.auth;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.StoredAccessPolicy;
import io.lazuli.server.account.Account;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.HttpDate;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.WorkerPool;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Explains what a request signs and why its signature is wrong. The server's own {@link SharedKey}
 * and {@link SharedAccessSignature} build the text and judge the signature; this class only
 * searches for the mistake.
 */
public final class SignatureExplainer {
  /** The length of 32 bytes in base64. */
  private static final int SIGNATURE_LENGTH = 44;

  /** Fewer letters of a signature say nothing. */
  private static final int CUT_MIN = 6;

  private final SigningRules rules;
  private final Clock clock;
  private final Duration dateWindow;

  private SignatureExplainer(SigningRules rules, Clock clock, Duration dateWindow) {
    this.rules = rules;
    this.clock = clock;
    this.dateWindow = dateWindow;
  }

  /** Returns an explainer for a service by its name in hosts; null if the service is unknown. */
  public static @Nullable SignatureExplainer ofService(
      String service, Clock clock, Duration dateWindow) {
    SigningRules rules = SigningRules.of(service);
    return rules == null ? null : new SignatureExplainer(rules, clock, dateWindow);
  }

  /**
   * Explains a request that is addressed to the account.
   *
   * @param others accounts whose keys may have been used by mistake
   */
  public SignatureExplanation explain(Request request, Account account, List<Account> others) {
    String authorization = request.header("Authorization");
    boolean hasToken = request.query().first("sig") != null;
    return authorization == null && hasToken
        ? token(request, account, others)
        : header(request, account, authorization == null ? "" : authorization, others);
  }

  private SignatureExplanation header(
      Request request, Account account, String authorization, List<Account> others) {
    int space = authorization.indexOf(' ');
    String scheme = space < 0 ? authorization : authorization.substring(0, space);
    String credentials = authorization.substring(space + 1).trim();
    boolean isLite = scheme.equalsIgnoreCase("SharedKeyLite");
    String sent = credentials.substring(credentials.lastIndexOf(':') + 1);
    List<String> remarks =
        new ArrayList<>(formRemarks(authorization, scheme, credentials, account));
    remarks.addAll(dateRemarks(request));
    SharedKeyMistakes.Draft draft = draft(request, account, isLite);
    String error = refusal(() -> verify(dateWindow, request, account, authorization));
    boolean isRight = refusal(() -> verify(Duration.ZERO, request, account, authorization)) == null;
    if (!isRight && !sent.isEmpty()) {
      NearMisses<SharedKeyMistakes.Draft> misses =
          new NearMisses<>(
              draft,
              SharedKeyMistakes.of(rules, isLite, request),
              SharedKeyMistakes.Draft::text,
              StandardCharsets.ISO_8859_1);
      addGuess(remarks, misses.explain(sent, account, others), sent);
    }
    return new SignatureExplanation(
        authorization.isEmpty() ? "none; these are the fields that SharedKey would sign" : scheme,
        rules.fields(isLite, draft.text()),
        signatures(draft.text(), StandardCharsets.ISO_8859_1, account),
        sent,
        isRight,
        remarks,
        answer(error, account));
  }

  private SharedKeyMistakes.Draft draft(Request request, Account account, boolean isLite) {
    String own = request.header("x-ms-date");
    String date = own != null ? own : request.header("Date");
    return new SharedKeyMistakes.Draft(
        isLite ? rules.lite() : rules.full(),
        request,
        account.name(),
        date == null ? "" : date,
        request.rawPath().isEmpty() ? "/" : request.rawPath(),
        "");
  }

  private void verify(Duration window, Request request, Account account, String authorization) {
    SharedKey verifier = rules.verifier().apply(clock, window);
    if (authorization.startsWith("SharedKeyLite ")) {
      verifier.verifyLite(request, account, authorization.substring(14).trim());
    } else if (authorization.startsWith("SharedKey ")) {
      verifier.verify(request, account, authorization.substring(10).trim());
    } else {
      throw CommonErrors.INVALID_AUTHENTICATION_INFO.exception();
    }
  }

  private static List<String> formRemarks(
      String authorization, String scheme, String credentials, Account account) {
    List<String> remarks = new ArrayList<>();
    if (authorization.isEmpty()) {
      return List.of("there are no credentials: no Authorization header, and no sig in the query");
    }
    if (authorization.contains("REDACTED")) {
      return List.of("the log hides the Authorization header; let the SDK log it, or use curl -v");
    }
    if (!scheme.equals("SharedKey") && !scheme.equals("SharedKeyLite")) {
      remarks.add("the scheme is neither SharedKey nor SharedKeyLite; its case matters");
    }
    int colon = credentials.lastIndexOf(':');
    if (colon < 0) {
      remarks.add("ACCOUNT:SIGNATURE must follow the scheme; there is no colon");
    } else if (!credentials.substring(0, colon).equals(account.name())) {
      remarks.add(
          "the header names the account "
              + credentials.substring(0, colon)
              + ", but the request is addressed to "
              + account.name());
    }
    return remarks;
  }

  private List<String> dateRemarks(Request request) {
    String own = request.header("x-ms-date");
    String date = own != null ? own : request.header("Date");
    if (date == null) {
      return List.of("there is no date: neither x-ms-date nor Date");
    }
    Instant time = HttpDate.parse(date);
    if (time == null) {
      return List.of("the date does not have the form Mon, 15 Jan 2024 10:30:00 GMT");
    }
    Duration off = Duration.between(time, clock.instant());
    return dateWindow.isZero() || off.abs().compareTo(dateWindow) <= 0
        ? List.of()
        : List.of(
            "the date is "
                + (off.isNegative() ? "ahead of" : "behind")
                + " this machine's clock by "
                + off.abs().toMinutes()
                + " minutes; the server accepts "
                + dateWindow.toMinutes());
  }

  private SignatureExplanation token(Request request, Account account, List<Account> others) {
    SasParameters sas;
    try {
      sas = SasParameters.of(request.query());
    } catch (ServiceException e) {
      return new SignatureExplanation(
          "shared access signature",
          List.of(),
          List.of(),
          "",
          false,
          List.of("a parameter of the signature appears twice"),
          answer(e.error().code(), account));
    }
    boolean ofAccount = sas.has("ss") || sas.has("srt");
    String found = ofAccount ? null : rules.sas().resource().find(sas, request);
    String resource = found == null ? null : rules.sas().spelt(sas, account, found);
    List<SignedField> fields = fields(sas, account.name(), resource);
    List<String> remarks = SasTerms.remarks(request, sas, rules.sas(), clock.instant());
    String scheme = (ofAccount ? "account SAS" : rules.sas().service() + " SAS");
    if (fields == null) {
      String error = refusal(() -> access(request, account));
      return new SignatureExplanation(
          scheme, List.of(), List.of(), sas.signature(), false, remarks, answer(error, account));
    }
    SasMistakes.Draft draft = new SasMistakes.Draft(fields, ofAccount ? "\n" : "");
    boolean isRight =
        signatures(draft.text(), StandardCharsets.UTF_8, account).contains(sas.signature());
    List<String> all = new ArrayList<>();
    if (!isRight) {
      NearMisses<SasMistakes.Draft> misses =
          new NearMisses<>(
              draft,
              SasMistakes.of(
                  draft,
                  account.name(),
                  sas.has("tn") ? sas.text("tn") : resource,
                  version -> fields(sas.with("sv", version), account.name(), resource)),
              SasMistakes.Draft::text,
              StandardCharsets.UTF_8);
      addGuess(all, misses.explain(sas.signature(), account, others), sas.signature());
    }
    all.addAll(remarks);
    return new SignatureExplanation(
        scheme,
        fields,
        signatures(draft.text(), StandardCharsets.UTF_8, account),
        sas.signature(),
        isRight,
        all,
        tokenAnswer(refusal(() -> access(request, account)), account));
  }

  private @Nullable List<SignedField> fields(
      SasParameters sas, String account, @Nullable String resource) {
    if (sas.has("ss") || sas.has("srt")) {
      return SasForm.accountFields(sas, account);
    }
    return resource == null ? null : rules.sas().serviceFields(sas, account, resource);
  }

  /**
   * Checks a shared access signature as the server does. Policies cannot be looked up here, so it
   * assumes a policy with every field that the signature lacks.
   */
  private void access(Request request, Account account) {
    SasParameters sas = SasParameters.of(request.query());
    StoredAccessPolicy policy =
        new StoredAccessPolicy(
            sas.text("si"), null, sas.has("se") ? null : Instant.MAX, sas.has("sp") ? null : "r");
    try (WorkerPool workers = new WorkerPool("explain", 1, 1)) {
      PolicyLookup lookup =
          (owner, name, id) ->
              CompletableFuture.<@Nullable StoredAccessPolicy>completedFuture(policy);
      Access unused =
          Futures.await(
              new SharedAccessSignature(rules.sas(), lookup, workers, clock)
                  .access(request, account));
    }
  }

  /** Returns the status and code with which the check fails; null if it passes. */
  private static @Nullable String refusal(Runnable check) {
    try {
      check.run();
      return null;
    } catch (ServiceException e) {
      return e.error().status() + " " + e.error().code();
    }
  }

  private static String answer(@Nullable String error, Account account) {
    if (error != null) {
      return "the server refuses it: " + error;
    }
    return account.isEnabled()
        ? "the server accepts the request"
        : "the server refuses it: 403 AccountIsDisabled";
  }

  /**
   * Returns the server's answer to a shared access signature. Unlike {@link #answer}, it does not
   * know which permission the operation requires.
   */
  private static String tokenAnswer(@Nullable String error, Account account) {
    return error == null && account.isEnabled()
        ? "the server accepts it, and then checks whether it permits the operation"
        : answer(error, account);
  }

  private static void addGuess(List<String> remarks, @Nullable String guess, String sent) {
    if (guess == null) {
      remarks.add(
          0,
          sent.length() == SIGNATURE_LENGTH || isCut(sent)
              ? "no common mistake explains this signature: it has another key or another text"
              : "a signature has %d characters, this one has %d"
                  .formatted(SIGNATURE_LENGTH, sent.length()));
    } else if (guess.isEmpty()) {
      remarks.add("the signature matches this text, so something else is wrong with the request");
    } else {
      remarks.add(0, "this signature would be correct if " + guess);
    }
  }

  /** Returns whether a signature was cut after some letters, as in the heads that are kept. */
  static boolean isCut(String signature) {
    return signature.length() > CUT_MIN && signature.endsWith("…");
  }

  private static List<String> signatures(String text, Charset charset, Account account) {
    byte[] message = text.getBytes(charset);
    return account.keys().stream()
        .map(key -> Base64.getEncoder().encodeToString(key.sign(message)))
        .toList();
  }
}
