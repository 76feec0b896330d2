package io.lazuli.conformance;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.policy.ExponentialBackoffOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.identity.ClientSecretCredentialBuilder;
import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.identity.EnvironmentCredentialBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import com.azure.identity.WorkloadIdentityCredentialBuilder;
import java.util.List;

/**
 * A program as users write it: it takes its credential from the environment and stores something in
 * each service. The arguments are the endpoints of blobs, queues and tables, and the names of
 * credentials. It prints the name of each credential that worked.
 */
final class IdentityProgram {
  private IdentityProgram() {}

  public static void main(String[] args) {
    for (int i = 3; i < args.length; i++) {
      String name = "p" + ProcessHandle.current().pid() + "x" + i;
      AllServices.use(credential(args[i]), null, name, List.of(args).subList(0, 3));
      System.out.println("used " + args[i]);
    }
    // Threads of the clients would keep the process for a while.
    System.exit(0);
  }

  private static TokenCredential credential(String name) {
    RetryOptions once = new RetryOptions(new ExponentialBackoffOptions().setMaxRetries(0));
    return switch (name) {
      case "default" -> new DefaultAzureCredentialBuilder().build();
      case "environment" -> new EnvironmentCredentialBuilder().build();
      case "managed" -> new ManagedIdentityCredentialBuilder().retryOptions(once).build();
      case "workload" -> new WorkloadIdentityCredentialBuilder().build();
      // With the id of the tenant, the SDK would ask Microsoft for the authority.
      case "secret" ->
          new ClientSecretCredentialBuilder()
              .authorityHost(System.getenv("AZURE_AUTHORITY_HOST"))
              .tenantId("6c617a75-6c69-4000-8000-000000000000")
              .clientId(System.getenv("AZURE_CLIENT_ID"))
              .clientSecret(System.getenv("AZURE_CLIENT_SECRET"))
              .disableInstanceDiscovery()
              .build();
      default -> throw new IllegalArgumentException(name);
    };
  }
}
