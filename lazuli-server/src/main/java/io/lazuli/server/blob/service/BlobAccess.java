package io.lazuli.server.blob.service;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.service.BlobOperation.OnBlob;
import io.lazuli.server.blob.service.BlobOperation.OnContainer;
import io.lazuli.server.error.CommonErrors;
import java.util.EnumSet;
import java.util.Set;

/** Judges every operation against what its caller may do (blob-rest 7), before anything is read. */
final class BlobAccess {
  /** What clients may do with the server's own logs (logs-and-metrics.md 2.1). */
  private static final Set<BlobAction> ON_LOGS =
      EnumSet.of(
          BlobAction.READ_CONTAINER,
          BlobAction.LIST_BLOBS,
          BlobAction.READ_BLOB,
          BlobAction.DELETE_BLOB);

  private BlobAccess() {}

  /** Passes if the operation is allowed; throws what to answer otherwise. */
  static void check(BlobOperation operation, Caller caller) {
    check(operation.action(), resource(operation), caller);
  }

  static void check(BlobAction action, String resource, Caller caller) {
    caller.access().require(action.permission(), resource);
    boolean ownWrite = caller.access() instanceof Access.OfServer;
    if (!ownWrite && ContainerName.isOfLogs(resource) && !ON_LOGS.contains(action)) {
      throw CommonErrors.AUTHORIZATION_FAILURE.exception();
    }
  }

  /** True if a blob that is there may be replaced by who may make a new one. */
  static boolean mayOverwrite(OnBlob operation, Caller caller) {
    return caller.access().allows(BlobAction.CHANGE_BLOB.permission(), operation.at().resource());
  }

  private static String resource(BlobOperation operation) {
    if (operation instanceof OnBlob on) {
      return on.at().resource();
    }
    return operation instanceof OnContainer on ? on.container().text() : "";
  }
}
