package io.lazuli.server.development;

import io.lazuli.server.access.HostName;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Query;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.throttle.RateTargets;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Gives tokens to clients that know the secret of the server: in the form of managed identities of
 * App Service, and in that of Entra and of AD FS for client secrets and federated tokens.
 *
 * <p>A web page can send requests to any port of this machine. So every request must name a host of
 * loopback, and a request with an origin is refused.
 */
final class TokenEndpoint implements Endpoint {
  /** The path of the App Service form. */
  static final String MANAGED_PATH = "/msi/token";

  /** The tenant with which SDKs do not ask Microsoft whether the authority exists. */
  static final String ADFS = "adfs";

  private static final String JSON = "application/json; charset=utf-8";
  private static final String DEFAULT_SCOPE = "/.default";
  private static final Pattern RESOURCE = Pattern.compile("[\\x21-\\x7e]{1,1000}");

  private final DevelopmentConfig config;
  private final DevelopmentKeys keys;
  private final TokenMaker maker;
  private final RateTargets<String> rate;
  private final int bodyBytesMax;
  private final WorkerPool workers;

  /**
   * @param rate the rate of requests for tokens, with one key for all
   * @param bodyBytesMax the maximum bytes of a form
   * @param workers the threads that sign
   */
  TokenEndpoint(
      DevelopmentConfig config,
      DevelopmentKeys keys,
      TokenMaker maker,
      RateTargets<String> rate,
      int bodyBytesMax,
      WorkerPool workers) {
    this.config = config;
    this.keys = keys;
    this.maker = maker;
    this.rate = rate;
    this.bodyBytesMax = bodyBytesMax;
    this.workers = workers;
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    String host = request.header("Host");
    boolean local = host != null && HostName.ofAuthority(host).isLoopback();
    if (!local || request.header("Origin") != null || request.header("Sec-Fetch-Site") != null) {
      throw IdentityErrors.FOREIGN.exception();
    }
    String path = request.rawPath();
    if (path.equals(MANAGED_PATH)) {
      requireMethod(request, "GET");
      return managed(request);
    }
    String[] parts = path.split("/", 3);
    if (parts.length < 3 || !isTenant(parts[1])) {
      throw IdentityErrors.NOTHING_HERE.exception();
    }
    return switch (parts[2]) {
      case "oauth2/token", "oauth2/v2.0/token" -> {
        requireMethod(request, "POST");
        yield request.content().read(bodyBytesMax).thenCompose(body -> granted(request, body));
      }
      case ".well-known/openid-configuration", "v2.0/.well-known/openid-configuration" -> {
        requireMethod(request, "GET");
        yield answered(document("https://" + host + "/" + parts[1]));
      }
      case "discovery/keys", "discovery/v2.0/keys" -> {
        requireMethod(request, "GET");
        byte[] published = keys.published().getBytes(StandardCharsets.UTF_8);
        yield CompletableFuture.completedFuture(Response.of(200).body(JSON, published).build());
      }
      default -> throw IdentityErrors.NOTHING_HERE.exception();
    };
  }

  private static boolean isTenant(String text) {
    return text.equals(ADFS) || text.equalsIgnoreCase(DevelopmentIdentity.TENANT.toString());
  }

  private static void requireMethod(Request request, String method) {
    if (!request.method().equals(method)) {
      throw IdentityErrors.WRONG_METHOD.exception();
    }
  }

  /**
   * Returns the document from which SDKs take the address of the tokens (OpenID Connect Discovery,
   * 4.2). The SDK for JavaScript wants an issuer on the host that it asked.
   */
  private static Map<String, Object> document(String tenant) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("issuer", tenant + "/v2.0");
    document.put("authorization_endpoint", tenant + "/oauth2/v2.0/authorize");
    document.put("token_endpoint", tenant + "/oauth2/v2.0/token");
    document.put("jwks_uri", tenant + "/discovery/v2.0/keys");
    document.put("response_types_supported", List.of("token"));
    document.put("subject_types_supported", List.of("pairwise"));
    document.put("id_token_signing_alg_values_supported", List.of("ES256"));
    document.put("token_endpoint_auth_methods_supported", List.of("client_secret_post"));
    return document;
  }

  /** Answers in the App Service form. The header keeps out requests that others make us send. */
  private CompletionStage<Response> managed(Request request) {
    rate.charge("", 1);
    if (!keys.isSecret(request.header("X-IDENTITY-HEADER"))) {
      throw IdentityErrors.WRONG_SECRET.exception();
    }
    Query query = request.query();
    String name = managedName(query);
    DevelopmentIdentity identity = name == null ? DevelopmentIdentity.DEVELOPER : identity(name);
    String resource = resource(query.first("resource"));
    return workers.call(
        () -> {
          TokenMaker.Made made = maker.make(identity, resource);
          Map<String, Object> body = new LinkedHashMap<>();
          body.put("access_token", made.token());
          body.put("expires_on", Long.toString(made.expiry().getEpochSecond()));
          body.put("resource", resource);
          body.put("token_type", "Bearer");
          body.put("client_id", identity.id().toString());
          return answered(body);
        },
        request.loop());
  }

  /** Returns the name of the identity that a client wants; null for the developer. */
  private static @Nullable String managedName(Query query) {
    for (String parameter : List.of("client_id", "clientid", "object_id", "principal_id")) {
      if (query.first(parameter) != null) {
        return query.first(parameter);
      }
    }
    String resourceId = query.first("mi_res_id");
    return resourceId == null ? null : resourceId.substring(resourceId.lastIndexOf('/') + 1);
  }

  /** Answers in the form of Entra (RFC 6749, 4.4). */
  private CompletionStage<Response> granted(Request request, byte[] body) {
    rate.charge("", 1);
    Query form = Query.tryParse(new String(body, StandardCharsets.ISO_8859_1));
    if (form == Query.UNREADABLE) {
      throw IdentityErrors.INVALID_REQUEST.exception();
    }
    String secret = form.first("client_secret");
    if (!keys.isSecret(secret == null ? form.first("client_assertion") : secret)) {
      throw IdentityErrors.WRONG_SECRET.exception();
    }
    if (!"client_credentials".equals(form.first("grant_type"))) {
      throw IdentityErrors.WRONG_GRANT.exception();
    }
    DevelopmentIdentity identity = identity(form.first("client_id"));
    String resource = resource(wanted(form));
    return workers.call(
        () -> {
          Map<String, Object> answer = new LinkedHashMap<>();
          answer.put("token_type", "Bearer");
          answer.put("expires_in", TokenMaker.LIFETIME.toSeconds());
          answer.put("ext_expires_in", TokenMaker.LIFETIME.toSeconds());
          answer.put("access_token", maker.make(identity, resource).token());
          return answered(answer);
        },
        request.loop());
  }

  /** Returns the resource of a form: that of version 2 is a scope, next to scopes of OpenID. */
  private static @Nullable String wanted(Query form) {
    String scope = form.first("scope");
    if (scope == null) {
      return form.first("resource");
    }
    List<String> wanted =
        Arrays.stream(scope.split(" ", -1)).filter(one -> one.endsWith(DEFAULT_SCOPE)).toList();
    return wanted.size() == 1
        ? wanted.get(0).substring(0, wanted.get(0).length() - DEFAULT_SCOPE.length())
        : form.first("resource");
  }

  private static String resource(@Nullable String text) {
    if (text == null || !RESOURCE.matcher(text).matches()) {
      throw IdentityErrors.NO_RESOURCE.exception();
    }
    return text;
  }

  private DevelopmentIdentity identity(@Nullable String name) {
    return config.identities().stream()
        .filter(one -> name != null && one.isNamed(name))
        .findFirst()
        .orElseThrow(IdentityErrors.UNKNOWN_CLIENT::exception);
  }

  private static CompletionStage<Response> answered(Map<String, Object> body) {
    return CompletableFuture.completedFuture(
        Response.of(200)
            .body(JSON, IdentityErrors.json(body))
            .header("Cache-Control", "no-store")
            .header("Pragma", "no-cache")
            .build());
  }
}
