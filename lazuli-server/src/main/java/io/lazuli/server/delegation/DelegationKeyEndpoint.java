package io.lazuli.server.delegation;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.AccessTime;
import io.lazuli.server.access.Identity;
import io.lazuli.server.access.Permission;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.protocol.ApiVersion;
import io.lazuli.server.wire.XmlElement;
import io.lazuli.server.wire.XmlWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Answers Get User Delegation Key (blob-features 9.4). */
public final class DelegationKeyEndpoint {
  /** The longest time between the start and the end of a key. */
  private static final Duration LIFE_MAX = Duration.ofDays(7);

  private static final int BODY_BYTES_MAX = 4 << 10;
  private static final String OLDEST_VERSION = "2018-11-09";
  private static final Permission PERMISSION =
      Permission.NO_SAS.byRole("service/generateUserDelegationKey/action");

  private final DelegationKeys keys;
  private final char service;
  private final Clock clock;

  /**
   * @param service the first letter of the service
   */
  public DelegationKeyEndpoint(DelegationKeys keys, char service, Clock clock) {
    this.keys = keys;
    this.service = service;
    this.clock = clock;
  }

  /**
   * Throws the refusal unless the caller has a token and a role that allows the operation.
   *
   * @return what the token says
   */
  public static Identity requireAllowed(Request request) {
    if (!(request.caller().access() instanceof Access.OfRoles roles)) {
      throw CommonErrors.AUTHENTICATION_FAILED
          .exception()
          .with("AuthenticationErrorDetail", "Only authentication scheme Bearer is supported");
    }
    roles.require(PERMISSION, "");
    return roles.identity();
  }

  /** Answers a request with its body. */
  public CompletionStage<Response> handle(Request request, byte[] body) {
    Identity identity = requireAllowed(request);
    DelegationKey key = key(request, identity, body);
    return keys.issue(request.caller().account(), identity, key, request.loop())
        .thenApply(value -> Response.of(200).body("application/xml", document(key, value)).build());
  }

  private DelegationKey key(Request request, Identity identity, byte[] body) {
    XmlElement asked = XmlElement.parse(body, BODY_BYTES_MAX).require("KeyInfo");
    String start = asked.childText("Start");
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    Instant from = start == null || start.isEmpty() ? now : time(start);
    Instant until = time(asked.requireText("Expiry"));
    Instant latest = (from.isAfter(now) ? from : now).plus(LIFE_MAX);
    if (!until.isAfter(from) || !until.isAfter(now) || until.isAfter(latest)) {
      throw CommonErrors.INVALID_XML_NODE_VALUE.exception();
    }
    String version = ApiVersion.of(request);
    return new DelegationKey(
        DelegationKey.objectOf(identity),
        DelegationKey.tenantOf(identity),
        from,
        until,
        service,
        version == null ? OLDEST_VERSION : version,
        boundTenant(asked.childText("DelegatedUserTid")));
  }

  private static @Nullable UUID boundTenant(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return null;
    }
    UUID tenant = DelegationKey.parse(text);
    if (tenant == null) {
      throw CommonErrors.INVALID_XML_NODE_VALUE.exception();
    }
    return tenant;
  }

  private static Instant time(String text) {
    Instant time = AccessTime.parse(text);
    if (time == null) {
      throw CommonErrors.INVALID_XML_NODE_VALUE.exception();
    }
    return time.truncatedTo(ChronoUnit.SECONDS);
  }

  private static byte[] document(DelegationKey key, byte[] value) {
    XmlWriter out = new XmlWriter();
    out.element(
        "UserDelegationKey",
        () -> {
          out.text("SignedOid", key.object().toString());
          out.text("SignedTid", key.tenant().toString());
          out.text("SignedStart", key.start().toString());
          out.text("SignedExpiry", key.expiry().toString());
          out.text("SignedService", String.valueOf(key.service()));
          out.text("SignedVersion", key.version());
          UUID bound = key.boundTenant();
          if (bound != null) {
            out.text("SignedDelegatedUserTid", bound.toString());
          }
          out.text("Value", Base64.getEncoder().encodeToString(value));
        });
    return out.toByteArray();
  }
}
