package io.lazuli.server.blob.service;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.service.BlobOperation.OnBlob;
import io.lazuli.server.blob.service.BlobOperation.OnContainer;
import io.lazuli.server.blob.service.BlobOperation.RestoreContainer;
import io.lazuli.server.error.CommonErrors;
import java.util.EnumSet;
import java.util.Set;

/** Checks whether the caller may carry out an operation (blob-rest 7), before anything is read. */
final class BlobAccess {
  /** The actions that clients may do with the server's own logs (logs-and-metrics 2.1). */
  private static final Set<BlobAction> ON_LOGS =
      EnumSet.of(
          BlobAction.READ_CONTAINER,
          BlobAction.LIST_BLOBS,
          BlobAction.LIST_TAGS,
          BlobAction.READ_BLOB,
          BlobAction.DELETE_BLOB);

  private BlobAccess() {}

  /** Throws if the operation is not allowed. */
  static void check(BlobOperation operation, Caller caller) {
    check(operation.action(), resource(operation), caller);
    if (operation instanceof RestoreContainer restore) {
      // The content that comes back is that of the deleted container, which may have another name.
      check(operation.action(), restore.deletedName(), caller);
    }
  }

  static void check(BlobAction action, String resource, Caller caller) {
    caller.access().require(action.permission(), resource);
    boolean ownWrite = caller.access() instanceof Access.OfServer;
    if (!ownWrite && ContainerName.isOfLogs(resource) && !ON_LOGS.contains(action)) {
      throw CommonErrors.AUTHORIZATION_FAILURE.exception();
    }
  }

  /**
   * Returns true if the caller may also replace an existing blob; some callers may only create new
   * ones.
   */
  static boolean mayOverwrite(OnBlob operation, Caller caller) {
    return caller.access().allows(BlobAction.CHANGE_BLOB.permission(), operation.at().resource());
  }

  /**
   * Returns true if blobs that have only uncommitted blocks exist for the caller. For an anonymous
   * caller they do not (blob-rest 7).
   */
  static boolean seesUncommitted(Caller caller) {
    return !(caller.access() instanceof Access.OfAnybody);
  }

  private static String resource(BlobOperation operation) {
    if (operation instanceof OnBlob on) {
      return on.at().resource();
    }
    if (operation instanceof BlobOperation.ListBlobs list) {
      return list.container().text() + "/" + list.prefix();
    }
    return operation instanceof OnContainer on ? on.container().text() : "";
  }
}
