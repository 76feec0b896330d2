package io.lazuli.server;

import io.lazuli.server.auth.Anonymous;
import io.lazuli.server.auth.PolicyLookup;
import io.lazuli.server.auth.SharedAccessSignature;
import io.lazuli.server.auth.SharedKey;
import io.lazuli.server.blob.protocol.BlobEndpoint;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.config.Limits;
import io.lazuli.server.config.ServiceName;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.pipeline.ErrorForm;
import io.lazuli.server.pipeline.RequestPipeline;
import io.lazuli.server.pipeline.Step;
import io.lazuli.server.queue.protocol.QueueEndpoint;
import io.lazuli.server.table.protocol.ODataErrorForm;
import io.lazuli.server.table.protocol.TableEndpoint;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A service as its listener sees it: the parts in which the listeners differ.
 *
 * @param home returns the home of an account's names in the catalogue
 * @param anonymous the answer to requests without credentials
 * @param body whether the endpoint gets complete bodies or reads them itself
 * @param operations finds the operation of an addressed request; throws if there is none
 */
record StorageService(
    ServiceName name,
    Function<String, ServiceHome> home,
    BiFunction<Clock, Duration, SharedKey> sharedKey,
    SignatureVerifier sharedAccess,
    Anonymous anonymous,
    ErrorForm errors,
    Step body,
    Function<Request, OperationType> operations) {

  /** Creates the verifier of a service's shared access signatures. */
  @FunctionalInterface
  interface SignatureVerifier {
    SharedAccessSignature of(PolicyLookup policies, WorkerPool workers, Clock clock);
  }

  static final StorageService BLOB =
      new StorageService(
          ServiceName.BLOB,
          ServiceHome::ofContainers,
          SharedKey::ofBlobsAndQueues,
          SharedAccessSignature::ofBlobs,
          Anonymous.PUBLIC,
          ErrorForm.XML,
          RequestPipeline.unreadBody(),
          BlobEndpoint::operation);
  static final StorageService QUEUE =
      new StorageService(
          ServiceName.QUEUE,
          ServiceHome::ofQueues,
          SharedKey::ofBlobsAndQueues,
          SharedAccessSignature::ofQueues,
          Anonymous.CHALLENGED,
          ErrorForm.XML,
          RequestPipeline.wholeBody(Limits.QUEUE_BODY_BYTES_MAX),
          QueueEndpoint::operation);
  static final StorageService TABLE =
      new StorageService(
          ServiceName.TABLE,
          ServiceHome::ofTables,
          SharedKey::ofTables,
          SharedAccessSignature::ofTables,
          Anonymous.REFUSED,
          new ODataErrorForm(),
          RequestPipeline.wholeBody(Limits.TABLE_BODY_BYTES_MAX),
          TableEndpoint::operation);

  /** All services, in the order of their ports. */
  static final List<StorageService> ALL = List.of(BLOB, QUEUE, TABLE);

  String title() {
    return name.title();
  }

  String label() {
    return name.label();
  }
}
