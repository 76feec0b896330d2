package io.lazuli.server.auth;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.AccessTime;
import io.lazuli.server.access.Identity;
import io.lazuli.server.access.KeyLimits;
import io.lazuli.server.access.StoredAccessPolicy;
import io.lazuli.server.account.Account;
import io.lazuli.server.delegation.DelegationKey;
import io.lazuli.server.delegation.DelegationKeys;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.event.Subject;
import io.lazuli.server.http.HttpDate;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.protocol.ApiVersion;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the shared access signatures that one service accepts, in the order of auth 9: form,
 * signature, policy, times, protocol, address, service. It does not look up a policy if the
 * signature is wrong. Permissions are checked later, when the operation is known.
 */
public final class SharedAccessSignature {
  private static final StoredAccessPolicy NO_POLICY = new StoredAccessPolicy("", null, null, null);

  private final SasForm form;
  private final PolicyLookup policies;
  private final WorkerPool workers;
  private final Clock clock;
  private final @Nullable Delegation delegation;

  /**
   * @param workers the threads on which policies are looked up
   */
  SharedAccessSignature(SasForm form, PolicyLookup policies, WorkerPool workers, Clock clock) {
    this(form, policies, workers, clock, null);
  }

  private SharedAccessSignature(
      SasForm form,
      PolicyLookup policies,
      WorkerPool workers,
      Clock clock,
      @Nullable Delegation delegation) {
    this.form = form;
    this.policies = policies;
    this.workers = workers;
    this.clock = clock;
    this.delegation = delegation;
  }

  /**
   * Returns a verifier that also accepts user delegation signatures.
   *
   * @param roles finds what the makers of signatures may do
   */
  public SharedAccessSignature withDelegation(DelegationKeys keys, RoleLookup roles) {
    // No SDK makes such signatures for tables.
    Delegation accepted = form.service().equals("table") ? null : new Delegation(keys, roles);
    return new SharedAccessSignature(form, policies, workers, clock, accepted);
  }

  /** The parts that verify a user delegation signature. */
  private record Delegation(DelegationKeys keys, RoleLookup roles) {}

  /** Returns the verifier of the table service. */
  public static SharedAccessSignature ofTables(
      PolicyLookup policies, WorkerPool workers, Clock clock) {
    return new SharedAccessSignature(SasForm.ofTables(), policies, workers, clock);
  }

  /** Returns the verifier of the queue service. */
  public static SharedAccessSignature ofQueues(
      PolicyLookup policies, WorkerPool workers, Clock clock) {
    return new SharedAccessSignature(SasForm.ofQueues(), policies, workers, clock);
  }

  /** Returns the verifier of the blob service. */
  public static SharedAccessSignature ofBlobs(
      PolicyLookup policies, WorkerPool workers, Clock clock) {
    return new SharedAccessSignature(SasForm.ofBlobs(), policies, workers, clock);
  }

  /**
   * Returns the access that the signature in the query grants. Throws a refusal, or completes with
   * one.
   */
  CompletionStage<Access> access(Request request, Account account) {
    return access(request, account, null);
  }

  /**
   * Does the same for a request with a token.
   *
   * @param bearer who sent the token that came with the signature; null if there is none
   */
  CompletionStage<Access> access(Request request, Account account, @Nullable Identity bearer) {
    SasParameters sas = SasParameters.of(request.query());
    if (sas.has("skoid")) {
      return ofDelegate(request, sas, account, bearer);
    }
    Authenticator.requireKeysPermitted(account);
    return sas.has("ss") || sas.has("srt")
        ? CompletableFuture.completedFuture(ofAccount(request, sas, account))
        : ofResource(request, sas, account);
  }

  /**
   * Verifies an account SAS. An account SAS does not sign the parameters of a service SAS, so they
   * are refused instead of ignored. The exception is {@code sr}: azure-storage 8.6.6 for Java
   * repeats the value of {@code srt} there.
   */
  private Access ofAccount(Request request, SasParameters sas, Account account) {
    boolean whole = sas.has("ss") && sas.has("srt");
    if (!whole || sas.has("tn") || sas.has("si")) {
      throw failed();
    }
    int number = requireSigned(SasForm.accountText(sas, account.name()), sas, account);
    request.details().subject(Subject.ofSas(Subject.Kind.ACCOUNT_SAS, number, null));
    String permissions = permissions(request, sas, NO_POLICY);
    if (!form.isAmong(sas.text("ss"))) {
      throw CommonErrors.AUTHORIZATION_SERVICE_MISMATCH.exception();
    }
    return new Access.OfAccount(permissions, sas.text("srt"));
  }

  private CompletionStage<Access> ofResource(Request request, SasParameters sas, Account account) {
    String resource = form.resource().find(sas, request);
    if (resource == null) {
      throw failed();
    }
    String name = form.spelt(sas, account, resource);
    int number = requireSigned(form.serviceText(sas, account.name(), name), sas, account);
    request.details().subject(Subject.ofSas(Subject.Kind.SERVICE_SAS, number, sas.orNull("si")));
    KeyLimits limits = keys(sas);
    CompletionStage<StoredAccessPolicy> policy =
        sas.has("si")
            ? workers.call(() -> policy(account, resource, sas.text("si")), request.loop())
            : CompletableFuture.completedFuture(NO_POLICY);
    return policy.thenApply(
        terms -> ofResource(sas, resource, limits, permissions(request, sas, terms)));
  }

  /** Returns whether only one user may use the signature, together with a token. */
  static boolean isBound(Request request) {
    return request.query().first("skoid") != null && request.query().first("sduoid") != null;
  }

  /**
   * Verifies a user delegation signature (blob-features 9.5). It grants what its permissions and
   * the roles of its maker grant together.
   */
  private CompletionStage<Access> ofDelegate(
      Request request, SasParameters sas, Account account, @Nullable Identity bearer) {
    Delegation accepted = delegation;
    boolean queue = form.service().equals("queue");
    boolean fits = !queue || sas.text("sr").equals("q");
    String resource = form.resource().find(queue ? sas.with("sr", "") : sas, request);
    if (accepted == null || resource == null || !fits || sas.has("si") || sas.has("ss")) {
      throw failed();
    }
    DelegationKey key = key(sas);
    requireBound(sas, bearer);
    return accepted
        .keys()
        .find(account.name(), key, request.loop())
        .thenApply(
            found -> {
              Identity maker = found.identity();
              String name = delegated(request, sas, account, resource, found.value());
              if (maker == null || name == null) {
                throw failed();
              }
              if (bearer == null) {
                request.details().subject(maker.subject(Subject.Kind.DELEGATION_SAS));
              }
              Access signature =
                  ofResource(sas, resource, KeyLimits.NONE, permissions(request, sas, NO_POLICY));
              return new Access.OfDelegate(
                  signature, accepted.roles().access(account.name(), form.service(), maker));
            });
  }

  /** Returns the resource as it was signed with the key; null if it was not. */
  private @Nullable String delegated(
      Request request, SasParameters sas, Account account, String resource, byte[] value) {
    List<String> spellings =
        form.isForDirectory(sas) ? List.of(resource, resource + "/") : List.of(resource);
    for (String name : spellings) {
      String text = form.delegationText(sas, account.name(), name, request);
      if (text != null && Signature.fits(text, value, sas.signature())) {
        return name;
      }
    }
    return null;
  }

  private DelegationKey key(SasParameters sas) {
    UUID object = DelegationKey.parse(sas.text("skoid"));
    UUID tenant = DelegationKey.parse(sas.text("sktid"));
    UUID bound = sas.has("skdutid") ? DelegationKey.parse(sas.text("skdutid")) : null;
    Instant start = time(sas, "skt");
    Instant expiry = time(sas, "ske");
    Instant now = clock.instant();
    boolean valid = !now.isBefore(start) && now.isBefore(expiry);
    String service = form.service().substring(0, 1);
    if (object == null
        || tenant == null
        || !valid
        || (bound == null && sas.has("skdutid"))
        || !sas.text("sks").equals(service)
        || !ApiVersion.isWellFormed(sas.text("skv"))) {
      throw failed();
    }
    return new DelegationKey(
        object, tenant, start, expiry, service.charAt(0), sas.text("skv"), bound);
  }

  /**
   * Throws unless a signature for one user came with a token of this user. Without another tenant,
   * the user is of the same tenant as the maker of the signature. A token says nothing about the
   * users of another issuer.
   */
  private static void requireBound(SasParameters sas, @Nullable Identity bearer) {
    if (!sas.has("sduoid")) {
      return;
    }
    String tenant = sas.text(sas.has("skdutid") ? "skdutid" : "sktid");
    boolean same =
        bearer != null
            && sas.text("sduoid").equalsIgnoreCase(bearer.object())
            && DelegationKey.tenantOf(bearer).equals(DelegationKey.parse(tenant));
    if (!same) {
      throw failed();
    }
  }

  private Access ofResource(
      SasParameters sas, String resource, KeyLimits limits, String permissions) {
    if (form.isForContainer(sas)) {
      return new Access.OfContainer(resource, permissions);
    }
    return form.isForDirectory(sas)
        ? new Access.OfDirectory(resource, permissions)
        : new Access.OfResource(resource, permissions, limits);
  }

  /** Returns the number of the key that signed. */
  private static int requireSigned(@Nullable String text, SasParameters sas, Account account) {
    int number =
        text == null ? 0 : Signature.key(text, StandardCharsets.UTF_8, account, sas.signature());
    if (number == 0) {
      throw failed();
    }
    return number;
  }

  private CompletionStage<StoredAccessPolicy> policy(Account account, String resource, String id) {
    String owner = resource.split("/", 2)[0];
    return policies
        .find(account.name(), owner, id)
        .thenApply(
            policy -> {
              if (policy == null) {
                throw failed();
              }
              return policy;
            });
  }

  /** Returns the permissions of a signature after checking its other fields. */
  private String permissions(Request request, SasParameters sas, StoredAccessPolicy policy) {
    String permissions = requireOne(sas.orNull("sp"), policy.permissions());
    checkTimes(sas, policy);
    checkProtocol(sas, request.scheme());
    checkAddress(sas, request.remoteAddress());
    return permissions;
  }

  private void checkTimes(SasParameters sas, StoredAccessPolicy policy) {
    Instant now = clock.instant();
    Instant start = sas.has("st") ? time(sas, "st") : null;
    if (start != null && policy.start() != null) {
      throw failed();
    }
    Instant from = start == null ? policy.start() : start;
    Instant until = requireOne(sas.has("se") ? time(sas, "se") : null, policy.expiry());
    if ((from != null && now.isBefore(from)) || !now.isBefore(until)) {
      throw failed().with("AuthenticationErrorDetail", timeDetail(from, until, now));
    }
  }

  /**
   * Returns what Azure says about a signature that is correct, but not valid now (auth 7). Without
   * a start, Azure takes the present time for it.
   */
  private static String timeDetail(@Nullable Instant from, Instant until, Instant now) {
    String start = HttpDate.format(from == null ? now : from);
    String expiry = HttpDate.format(until);
    return until.isAfter(from == null ? now : from)
        ? "Signature not valid in the specified time frame: Start [%s] - Expiry [%s] - Current [%s]"
            .formatted(start, expiry, HttpDate.format(now))
        : "Signed expiry time [%s] must be after signed start time [%s]".formatted(expiry, start);
  }

  private static Instant time(SasParameters sas, String name) {
    Instant time = AccessTime.parse(sas.text(name));
    if (time == null) {
      throw failed();
    }
    return time;
  }

  /** Returns a field that must be in the signature or in its policy, but not in both (auth 6.1). */
  private static <T> T requireOne(@Nullable T own, @Nullable T ofPolicy) {
    if ((own == null) == (ofPolicy == null)) {
      throw failed();
    }
    return Objects.requireNonNull(own == null ? ofPolicy : own);
  }

  private static void checkProtocol(SasParameters sas, String scheme) {
    switch (sas.text("spr")) {
      case "", "https,http", "http,https" -> {}
      case "https" -> {
        if (!scheme.equals("https")) {
          throw CommonErrors.AUTHORIZATION_PROTOCOL_MISMATCH.exception();
        }
      }
      default -> throw failed();
    }
  }

  private static void checkAddress(SasParameters sas, String peer) {
    if (!sas.has("sip")) {
      return;
    }
    AddressRange allowed = AddressRange.parse(sas.text("sip"));
    if (allowed == null) {
      throw failed();
    }
    if (!allowed.contains(peer)) {
      throw CommonErrors.AUTHORIZATION_SOURCE_IP_MISMATCH.exception().with("ip", peer);
    }
  }

  private static KeyLimits keys(SasParameters sas) {
    if ((sas.has("srk") && !sas.has("spk")) || (sas.has("erk") && !sas.has("epk"))) {
      throw failed();
    }
    return new KeyLimits(
        sas.orNull("spk"), sas.orNull("srk"), sas.orNull("epk"), sas.orNull("erk"));
  }

  private static ServiceException failed() {
    return CommonErrors.AUTHENTICATION_FAILED.exception();
  }
}
