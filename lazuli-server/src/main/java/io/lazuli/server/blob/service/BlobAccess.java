package io.lazuli.server.blob.service;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.model.LeaseAction;
import io.lazuli.server.blob.service.BlobOperation.LeaseBlob;
import io.lazuli.server.blob.service.BlobOperation.LeaseContainer;
import io.lazuli.server.blob.service.BlobOperation.OnBlob;
import io.lazuli.server.blob.service.BlobOperation.OnContainer;
import io.lazuli.server.error.CommonErrors;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Judges every operation against what its caller may do (blob-rest 7), before anything is read. */
final class BlobAccess {
  private static final Map<Class<? extends BlobOperation>, BlobAction> ACTIONS =
      Map.ofEntries(
          Map.entry(BlobOperation.ListContainers.class, BlobAction.LIST_CONTAINERS),
          Map.entry(BlobOperation.CreateContainer.class, BlobAction.CREATE_CONTAINER),
          Map.entry(BlobOperation.DeleteContainer.class, BlobAction.DELETE_CONTAINER),
          Map.entry(BlobOperation.ReadContainer.class, BlobAction.READ_CONTAINER),
          Map.entry(BlobOperation.ReplaceContainerMetadata.class, BlobAction.CHANGE_CONTAINER),
          Map.entry(BlobOperation.ReadContainerAccess.class, BlobAction.CONTAINER_ACCESS),
          Map.entry(BlobOperation.ReplaceContainerAccess.class, BlobAction.CONTAINER_ACCESS),
          Map.entry(LeaseContainer.class, BlobAction.CHANGE_CONTAINER),
          Map.entry(BlobOperation.ListBlobs.class, BlobAction.LIST_BLOBS),
          Map.entry(BlobOperation.ReadProperties.class, BlobAction.READ_BLOB),
          Map.entry(BlobOperation.GetBlob.class, BlobAction.READ_BLOB),
          Map.entry(BlobOperation.ReadTags.class, BlobAction.TAGS),
          Map.entry(BlobOperation.ReadBlockList.class, BlobAction.READ_BLOB),
          Map.entry(BlobOperation.ReplaceMetadata.class, BlobAction.CHANGE_BLOB),
          Map.entry(BlobOperation.ReplaceHttp.class, BlobAction.CHANGE_BLOB),
          Map.entry(BlobOperation.ReplaceTags.class, BlobAction.TAGS),
          Map.entry(BlobOperation.SetTier.class, BlobAction.CHANGE_BLOB),
          Map.entry(BlobOperation.Seal.class, BlobAction.CHANGE_BLOB),
          Map.entry(BlobOperation.TakeSnapshot.class, BlobAction.TAKE_SNAPSHOT),
          Map.entry(BlobOperation.DeleteBlob.class, BlobAction.DELETE_BLOB),
          Map.entry(BlobOperation.DeleteSnapshot.class, BlobAction.DELETE_BLOB),
          Map.entry(LeaseBlob.class, BlobAction.CHANGE_BLOB),
          Map.entry(BlobOperation.PutBlockList.class, BlobAction.CHANGE_BLOB),
          Map.entry(BlobOperation.CopyBlob.class, BlobAction.CREATE_BLOB),
          Map.entry(BlobOperation.PutBlobFromUrl.class, BlobAction.CREATE_BLOB),
          Map.entry(BlobOperation.PutBlockFromUrl.class, BlobAction.CHANGE_BLOB),
          Map.entry(BlobOperation.AppendBlockFromUrl.class, BlobAction.APPEND_BLOCK),
          Map.entry(BlobOperation.PutBlob.class, BlobAction.CREATE_BLOB),
          Map.entry(BlobOperation.PutBlock.class, BlobAction.CHANGE_BLOB),
          Map.entry(BlobOperation.AppendBlock.class, BlobAction.APPEND_BLOCK));

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
    check(action(operation), resource(operation), caller);
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

  private static BlobAction action(BlobOperation operation) {
    if (operation instanceof LeaseBlob lease && lease.action() instanceof LeaseAction.Break) {
      return BlobAction.BREAK_BLOB_LEASE;
    } else if (operation instanceof LeaseContainer lease
        && lease.action() instanceof LeaseAction.Break) {
      return BlobAction.BREAK_CONTAINER_LEASE;
    }
    return Objects.requireNonNull(ACTIONS.get(operation.getClass()));
  }

  private static String resource(BlobOperation operation) {
    if (operation instanceof OnBlob on) {
      return on.at().resource();
    }
    return operation instanceof OnContainer on ? on.container().text() : "";
  }
}
