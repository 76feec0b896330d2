package io.lazuli.server.settings;

import io.lazuli.server.error.ServiceError;
import io.lazuli.server.event.OperationKind;
import io.lazuli.server.http.Request;
import io.lazuli.server.protocol.QueryParameters;

/**
 * The operations that every service has: properties, statistics and access lists. Each service has
 * rows for them in its own table of operations.
 */
public enum SettingsRoute {
  READ_PROPERTIES(OperationKind.READ, SettingsAction.READ_SERVICE),
  CHANGE_PROPERTIES(OperationKind.WRITE, SettingsAction.CHANGE_SERVICE),
  READ_STATS(OperationKind.READ, SettingsAction.READ_SERVICE),
  READ_POLICIES(OperationKind.READ, SettingsAction.READ_ACCESS_LIST),
  REPLACE_POLICIES(OperationKind.WRITE, SettingsAction.CHANGE_ACCESS_LIST),
  /** Refuses a verb that access lists do not have, after the check of the caller's permission. */
  REFUSE_POLICIES(OperationKind.WRITE, SettingsAction.CHANGE_ACCESS_LIST);

  private final OperationKind kind;
  private final SettingsAction action;

  SettingsRoute(OperationKind kind, SettingsAction action) {
    this.kind = kind;
    this.action = action;
  }

  public OperationKind kind() {
    return kind;
  }

  SettingsAction action() {
    return action;
  }

  /** Returns whether the operation is about an access list. */
  public boolean isOfPolicies() {
    return this == READ_POLICIES || this == REPLACE_POLICIES || this == REFUSE_POLICIES;
  }

  /**
   * Returns the operation on properties or statistics.
   *
   * @param method the effective verb
   * @param component {@code properties} or {@code stats}
   * @param wrongMethod thrown for a verb that the component does not have
   */
  public static SettingsRoute ofService(String method, String component, ServiceError wrongMethod) {
    boolean stats = component.equals("stats");
    return switch (method) {
      case "GET" -> stats ? READ_STATS : READ_PROPERTIES;
      case "PUT" -> {
        if (stats) {
          throw wrongMethod.exception();
        }
        yield CHANGE_PROPERTIES;
      }
      default -> throw wrongMethod.exception();
    };
  }

  /**
   * Returns the operation on properties or statistics by the rules of the blob and queue services
   * (queue-rest 4.2 and 4.3).
   *
   * @param request an addressed request
   * @param wrongMethod thrown for a verb that the component does not have
   */
  public static SettingsRoute ofService(
      Request request, QueryParameters parameters, ServiceError wrongMethod) {
    String component = parameters.text("comp");
    boolean known = component.equals("properties") || component.equals("stats");
    boolean primaryHost =
        !request.address().secondary() && request.address().path().equals(request.rawPath());
    // In path style, SDKs ask for statistics at the primary address.
    boolean misplaced = component.equals("stats") && primaryHost;
    if (!known || misplaced || !parameters.text("restype").equals("service")) {
      throw parameters.invalid("comp", "");
    }
    String method = request.method();
    return ofService(method.equals("HEAD") ? "GET" : method, component, wrongMethod);
  }

  /**
   * Returns the operation on an access list.
   *
   * @param method the effective verb
   */
  public static SettingsRoute ofPolicies(String method) {
    return switch (method) {
      case "GET" -> READ_POLICIES;
      case "PUT" -> REPLACE_POLICIES;
      default -> REFUSE_POLICIES;
    };
  }
}
