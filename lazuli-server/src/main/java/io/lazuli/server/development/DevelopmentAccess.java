package io.lazuli.server.development;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What clients need to use the development identity of a running server.
 *
 * @param authority the URL of the identity without a path
 * @param secret the identity header and the client secret
 * @param federatedToken a file with the secret, for workload identities
 * @param certificate the certificate that clients must trust, PEM; null if the server has a
 *     certificate of its operator
 * @param trustStore the same certificate, together with those that Java trusts
 */
public record DevelopmentAccess(
    String authority,
    String secret,
    Path federatedToken,
    @Nullable Path certificate,
    @Nullable Path trustStore) {

  /**
   * Returns the environment variables for unmodified programs. The SDKs prefer a client secret to a
   * federated token, and that to a managed identity.
   */
  public Map<String, String> variables() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("IDENTITY_ENDPOINT", authority + TokenEndpoint.MANAGED_PATH);
    all.put("IDENTITY_HEADER", secret);
    all.put("AZURE_AUTHORITY_HOST", authority);
    all.put("AZURE_TENANT_ID", TokenEndpoint.ADFS);
    all.put("AZURE_CLIENT_ID", DevelopmentIdentity.DEVELOPER.id().toString());
    all.put("AZURE_CLIENT_SECRET", secret);
    all.put("AZURE_FEDERATED_TOKEN_FILE", federatedToken.toString());
    if (certificate != null && trustStore != null) {
      all.put("NODE_EXTRA_CA_CERTS", certificate.toString());
      all.put("JAVA_TOOL_OPTIONS", "-Djavax.net.ssl.trustStore=" + trustStore);
    }
    return all;
  }

  /** Omits the secret. */
  @Override
  public String toString() {
    return "development identity at " + authority;
  }
}
