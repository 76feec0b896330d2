package io.lazuli.conformance.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableServiceLogging;
import com.azure.data.tables.models.TableServiceRetentionPolicy;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.BlobAnalyticsLogging;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.BlobRetentionPolicy;
import com.azure.storage.blob.models.BlobServiceProperties;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.queue.QueueServiceClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import com.azure.storage.queue.models.QueueAnalyticsLogging;
import com.azure.storage.queue.models.QueueRetentionPolicy;
import com.azure.storage.queue.models.QueueServiceProperties;
import io.lazuli.conformance.ServerProcess;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.support.Waiting;
import java.util.List;

/** A server that logs requests, used through the official clients of its three services. */
final class LoggedServer {
  static final int FIELDS = 30;
  static final int OPERATION = 2;

  private final ServerProcess process;

  LoggedServer(ServerProcess process) {
    this.process = process;
  }

  TableServiceClient tables() {
    return new TableServiceClientBuilder()
        .connectionString(process.account(StorageService.TABLE).connectionString())
        .buildClient();
  }

  QueueServiceClient queues() {
    return new QueueServiceClientBuilder()
        .connectionString(process.account(StorageService.QUEUE).connectionString())
        .buildClient();
  }

  BlobServiceClient blobs() {
    return new BlobServiceClientBuilder()
        .connectionString(process.account(StorageService.BLOB).connectionString())
        .buildClient();
  }

  void logTables(boolean read, boolean write, boolean delete) {
    var properties = tables().getProperties();
    properties.setLogging(
        new TableServiceLogging()
            .setAnalyticsVersion("1.0")
            .setReadLogged(read)
            .setWriteLogged(write)
            .setDeleteLogged(delete)
            .setRetentionPolicy(
                new TableServiceRetentionPolicy().setEnabled(true).setDaysToRetain(7)));
    tables().setProperties(properties);
  }

  void logQueues() {
    QueueServiceProperties properties = queues().getProperties();
    properties.setAnalyticsLogging(
        new QueueAnalyticsLogging()
            .setVersion("1.0")
            .setRead(true)
            .setWrite(true)
            .setDelete(true)
            .setRetentionPolicy(new QueueRetentionPolicy().setEnabled(false)));
    queues().setProperties(properties);
  }

  void logBlobs() {
    BlobServiceProperties properties = blobs().getProperties();
    properties.setLogging(
        new BlobAnalyticsLogging()
            .setVersion("1.0")
            .setRead(true)
            .setWrite(true)
            .setDelete(true)
            .setRetentionPolicy(new BlobRetentionPolicy().setEnabled(false)));
    blobs().setProperties(properties);
  }

  BlobContainerClient logs() {
    return blobs().getBlobContainerClient("$logs");
  }

  /** Returns the log blobs of a service with their metadata, in the order of time. */
  List<BlobItem> blobsOf(String service) {
    if (!logs().exists()) {
      return List.of();
    }
    ListBlobsOptions options =
        new ListBlobsOptions()
            .setPrefix(service + "/20")
            .setDetails(new BlobListDetails().setRetrieveMetadata(true));
    return logs().listBlobs(options, null).stream().toList();
  }

  List<List<String>> linesIn(BlobItem blob) {
    String content = logs().getBlobClient(blob.getName()).downloadContent().toString();
    // A blob is created before its first block is written.
    assertThat(content).matches("(?s)|.*\n");
    return content.lines().map(LoggedServer::fields).toList();
  }

  List<List<String>> lines(String service) {
    return blobsOf(service).stream().flatMap(blob -> linesIn(blob).stream()).toList();
  }

  /**
   * Waits until the log has all these operations, and returns the lines of a service. Their order
   * is not defined.
   */
  List<List<String>> linesOnce(String service, String... operations) {
    Waiting.until(() -> operationsOf(lines(service)).containsAll(List.of(operations)));
    return lines(service);
  }

  static List<String> operationsOf(List<List<String>> lines) {
    return lines.stream().map(line -> line.get(OPERATION)).toList();
  }

  /** Splits a line at semicolons outside of quotes. */
  private static List<String> fields(String line) {
    return List.of(line.split(";(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1));
  }
}
