package io.lazuli.server.settings;

import io.lazuli.server.error.ServiceError;
import io.lazuli.server.http.HttpDate;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.settings.SettingsOperation.ChangeProperties;
import io.lazuli.server.settings.SettingsOperation.ReadPolicies;
import io.lazuli.server.settings.SettingsOperation.ReadProperties;
import io.lazuli.server.settings.SettingsOperation.ReadStats;
import io.lazuli.server.settings.SettingsOperation.ReplacePolicies;
import io.lazuli.server.settings.SettingsOutcome.Policies;
import io.lazuli.server.settings.SettingsOutcome.PoliciesReplaced;
import io.lazuli.server.settings.SettingsOutcome.Properties;
import io.lazuli.server.settings.SettingsOutcome.PropertiesChanged;
import io.lazuli.server.settings.SettingsOutcome.Stats;
import io.lazuli.server.wire.InvalidXml;
import io.lazuli.storage.Deadline;
import java.util.concurrent.CompletionStage;

/**
 * Answers requests about the settings that every service has: properties, statistics and access
 * lists. The endpoint of a service passes such requests on. The caller's permission is checked
 * before the body is parsed.
 */
public final class SettingsEndpoint {
  private final SettingsService service;
  private final String policyLetters;
  private final ServiceError wrongMethod;
  private final boolean takesEmptyChange;
  private final boolean ofBlobs;

  /**
   * @param policyLetters the permissions that a policy of the service may grant
   * @param wrongMethod the error for a verb that an access list does not have
   * @param takesEmptyChange false if a change without any property is refused
   * @param ofBlobs true to include the properties that only the blob service has
   */
  public SettingsEndpoint(
      SettingsService service,
      String policyLetters,
      ServiceError wrongMethod,
      boolean takesEmptyChange,
      boolean ofBlobs) {
    this.service = service;
    this.policyLetters = policyLetters;
    this.wrongMethod = wrongMethod;
    this.takesEmptyChange = takesEmptyChange;
    this.ofBlobs = ofBlobs;
  }

  /**
   * Answers a request about settings.
   *
   * @param resource the name of the resource of an access list in the catalogue; empty for the
   *     service
   */
  public CompletionStage<Response> handle(
      SettingsRoute route, Request request, String resource, Deadline deadline) {
    SettingsService.requireAllowed(route.action(), resource, request.caller());
    return execute(request, decode(route, resource, request.body()), deadline);
  }

  private SettingsOperation decode(SettingsRoute route, String resource, byte[] body) {
    return switch (route) {
      case READ_PROPERTIES -> new ReadProperties();
      case CHANGE_PROPERTIES -> change(body);
      case READ_STATS -> new ReadStats();
      case READ_POLICIES -> new ReadPolicies(resource);
      case REPLACE_POLICIES ->
          new ReplacePolicies(resource, AccessPolicyXml.parse(body, policyLetters));
      case REFUSE_POLICIES -> throw wrongMethod.exception();
    };
  }

  private SettingsOperation change(byte[] body) {
    ServiceProperties.Change change = ServicePropertiesXml.parse(body, ofBlobs);
    boolean nothing = change.isEmpty() && !takesEmptyChange;
    if (nothing || !change.isOfKnownForms()) {
      throw InvalidXml.because("");
    }
    return new ChangeProperties(change);
  }

  private CompletionStage<Response> execute(
      Request request, SettingsOperation operation, Deadline deadline) {
    return service
        .execute(operation, request.caller(), deadline)
        .thenApplyAsync(this::encode, request.loop());
  }

  private Response encode(SettingsOutcome outcome) {
    if (outcome instanceof Policies policies) {
      return xml(AccessPolicyXml.write(policies.policies()));
    } else if (outcome instanceof Properties properties) {
      return xml(ServicePropertiesXml.write(properties.properties(), ofBlobs));
    } else if (outcome instanceof Stats stats) {
      return xml(ServiceStatsXml.write(HttpDate.format(stats.lastSync())));
    } else if (outcome instanceof PropertiesChanged) {
      return Response.of(202).build();
    } else if (outcome instanceof PoliciesReplaced) {
      return Response.of(204).build();
    }
    throw new IllegalStateException("unknown outcome: " + outcome.getClass());
  }

  private static Response xml(byte[] document) {
    return Response.of(200).body("application/xml", document).build();
  }
}
