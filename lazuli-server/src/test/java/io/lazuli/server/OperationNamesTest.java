package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.http.Request;
import io.lazuli.server.http.TestRequests;
import io.lazuli.server.pipeline.Addressing;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The names of operations in request logs (logs-and-metrics 4). */
class OperationNamesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      quoteCharacter = '"',
      value = {
        "POST /acct/$batch - EntityGroupTransaction",
        "POST /acct/Tables - CreateTable",
        "DELETE /acct/Tables('t') - DeleteTable",
        "GET /acct/Tables('t') - QueryTable",
        "GET /acct/Tables - QueryTables",
        "POST /acct/t - InsertEntity",
        "PATCH /acct/t(PartitionKey='a',RowKey='b') - InsertOrMergeEntity",
        "PATCH /acct/t(PartitionKey='a',RowKey='b') If-Match MergeEntity",
        "MERGE /acct/t(PartitionKey='a',RowKey='b') If-Match MergeEntity",
        "PUT /acct/t(PartitionKey='a',RowKey='b') - InsertOrReplaceEntity",
        "PUT /acct/t(PartitionKey='a',RowKey='b') If-Match UpdateEntity",
        "DELETE /acct/t(PartitionKey='a',RowKey='b') If-Match DeleteEntity",
        "GET /acct/t(PartitionKey='a',RowKey='b') - QueryEntity",
        "GET /acct/t()?$top=1 - QueryEntities",
        "GET /acct/t?comp=acl - GetTableACL",
        "PUT /acct/t?comp=acl - SetTableACL",
        "GET /acct/?restype=service&comp=properties - GetTableServiceProperties",
        "PUT /acct/?restype=service&comp=properties - SetTableServiceProperties",
        "GET /acct/?restype=service&comp=stats - GetTableServiceStats",
        "OPTIONS /acct/t - TablePreflightRequest",
      })
  void ofTables(String method, String target, String header, String name) {
    assertThat(name(StorageService.TABLE, method, target, header)).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "GET /acct/?comp=list ListQueues",
        "PUT /acct/q CreateQueue",
        "DELETE /acct/q DeleteQueue",
        "GET /acct/q?comp=metadata GetQueueMetadata",
        "PUT /acct/q?comp=metadata SetQueueMetadata",
        "GET /acct/q?comp=acl GetQueueACL",
        "PUT /acct/q?comp=acl SetQueueACL",
        "POST /acct/q/messages PutMessage",
        "GET /acct/q/messages GetMessage",
        "GET /acct/q/messages?numofmessages=1 GetMessage",
        "GET /acct/q/messages?numofmessages=32 GetMessages",
        "GET /acct/q/messages?peekonly=true PeekMessage",
        "GET /acct/q/messages?peekonly=true&numofmessages=2 PeekMessages",
        "PUT /acct/q/messages/id UpdateMessage",
        "DELETE /acct/q/messages/id DeleteMessage",
        "DELETE /acct/q/messages ClearMessages",
        "GET /acct/?restype=service&comp=properties GetQueueServiceProperties",
        "PUT /acct/?restype=service&comp=properties SetQueueServiceProperties",
        "GET /acct/?restype=service&comp=stats GetQueueServiceStats",
        "OPTIONS /acct/q QueuePreflightRequest",
      })
  void ofQueues(String method, String target, String name) {
    assertThat(name(StorageService.QUEUE, method, target, "-")).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "GET /acct/?comp=list - ListContainers",
        "GET /acct/?restype=service&comp=properties - GetBlobServiceProperties",
        "PUT /acct/?restype=service&comp=properties - SetBlobServiceProperties",
        "GET /acct/?restype=service&comp=stats - GetBlobServiceStats",
        "PUT /acct/c?restype=container - CreateContainer",
        "HEAD /acct/c?restype=container - GetContainerProperties",
        "PUT /acct/c?restype=container&comp=lease x-ms-lease-action:acquire AcquireContainerLease",
        "GET /acct/c?restype=container&comp=list - ListBlobs",
        "PUT /acct/c/b - PutBlob",
        "PUT /acct/c/b x-ms-copy-source:http://x/ CopyBlob",
        "GET /acct/c/b - GetBlob",
        "HEAD /acct/c/b - GetBlobProperties",
        "PUT /acct/c/b?comp=lease x-ms-lease-action:BREAK BreakBlobLease",
        "PUT /acct/c/b?comp=lease x-ms-lease-action:x;y UnknownBlobLease",
        "PUT /acct/c/b?comp=lease - UnknownBlobLease",
        "PUT /acct/c/b?comp=appendblock - AppendBlock",
        "DELETE /acct/c/b - DeleteBlob",
        "GET /acct/?comp=blobs - FindBlobsByTags",
        "GET /acct/c?restype=container&comp=blobs - FindBlobsByTags",
        "PUT /acct/c/b?comp=undelete - UndeleteBlob",
        "PUT /acct/c?restype=container&comp=undelete - RestoreContainer",
        "PUT /acct/c/b?comp=expiry - SetBlobExpiry",
        "PUT /acct/c/b?comp=immutabilityPolicies - SetBlobImmutabilityPolicy",
        "DELETE /acct/c/b?comp=immutabilityPolicies - DeleteBlobImmutabilityPolicy",
        "PUT /acct/c/b?comp=legalhold - SetBlobLegalHold",
        "PUT /acct/c/b?comp=page - PutPage",
        "PUT /acct/c/b?comp=page x-ms-page-write:clear ClearPage",
        "GET /acct/c/b?comp=pagelist - GetPageRanges",
        "OPTIONS /acct/c/b - BlobPreflightRequest",
      })
  void ofBlobs(String method, String target, String header, String name) {
    assertThat(name(StorageService.BLOB, method, target, header)).isEqualTo(name);
  }

  /**
   * @param header its name, with a value after a colon if that matters; a dash for none
   */
  private static String name(StorageService service, String method, String target, String header) {
    String[] parts = header.split(":", 2);
    Request request =
        header.equals("-")
            ? TestRequests.of(method, target)
            : TestRequests.of(method, target, parts[0], parts.length == 1 ? "*" : parts[1]);
    Addressing addressing = new Addressing(service.label(), "acct"::equals);
    return service
        .operations()
        .apply(request.withAddress(addressing.find(request)))
        .documentedName();
  }
}
