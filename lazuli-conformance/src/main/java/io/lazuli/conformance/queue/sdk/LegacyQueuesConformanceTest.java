package io.lazuli.conformance.queue.sdk;

import static io.lazuli.conformance.support.LegacyFailure.expectError;
import static io.lazuli.conformance.support.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.azure.storage.CloudStorageAccount;
import com.microsoft.azure.storage.CorsHttpMethods;
import com.microsoft.azure.storage.CorsRule;
import com.microsoft.azure.storage.LocationMode;
import com.microsoft.azure.storage.ResultSegment;
import com.microsoft.azure.storage.RetryNoRetry;
import com.microsoft.azure.storage.ServiceProperties;
import com.microsoft.azure.storage.StorageCredentialsSharedAccessSignature;
import com.microsoft.azure.storage.StorageException;
import com.microsoft.azure.storage.StorageUri;
import com.microsoft.azure.storage.queue.CloudQueue;
import com.microsoft.azure.storage.queue.CloudQueueClient;
import com.microsoft.azure.storage.queue.CloudQueueMessage;
import com.microsoft.azure.storage.queue.MessageUpdateFields;
import com.microsoft.azure.storage.queue.QueueListingDetails;
import com.microsoft.azure.storage.queue.QueuePermissions;
import com.microsoft.azure.storage.queue.QueueRequestOptions;
import com.microsoft.azure.storage.queue.SharedAccessQueuePolicy;
import io.lazuli.conformance.Account;
import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.queue.ScratchQueue;
import io.lazuli.conformance.wire.AccountProperties;
import java.net.URISyntaxException;
import java.security.InvalidKeyException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The queue service through the previous official client. */
@Covers(value = Area.OPERATIONS, service = StorageService.QUEUE)
class LegacyQueuesConformanceTest {

  private final Account account = AccountUnderTest.get(StorageService.QUEUE);
  private final CloudQueueClient client;
  private final CloudQueue queue;

  LegacyQueuesConformanceTest() throws URISyntaxException, InvalidKeyException, StorageException {
    CloudStorageAccount storage =
        CloudStorageAccount.parse(
            account.connectionString()
                + "QueueSecondaryEndpoint="
                + account.secondary().base()
                + ";");
    client = storage.createCloudQueueClient();
    client.getDefaultRequestOptions().setRetryPolicyFactory(new RetryNoRetry());
    queue = client.getQueueReference(ScratchQueue.named(ScratchQueue.freshName()).name());
    queue.create();
  }

  private static Date inHours(int hours) {
    return Date.from(Instant.now().plus(Duration.ofHours(hours)));
  }

  private static SharedAccessQueuePolicy allowing(String letters) {
    SharedAccessQueuePolicy policy = new SharedAccessQueuePolicy();
    policy.setPermissionsFromString(letters);
    policy.setSharedAccessExpiryTime(inHours(1));
    return policy;
  }

  private CloudQueue holder(String token) throws URISyntaxException, StorageException {
    CloudQueueClient holder =
        new CloudQueueClient(
            new StorageUri(account.endpoint()), new StorageCredentialsSharedAccessSignature(token));
    holder.getDefaultRequestOptions().setRetryPolicyFactory(new RetryNoRetry());
    return holder.getQueueReference(queue.getName());
  }

  @Test
  @Documented("queue-rest 5.2, 5.3")
  void aQueueIsCreatedAndDeletedOnce() throws URISyntaxException, StorageException {
    CloudQueue other =
        client.getQueueReference(ScratchQueue.named(ScratchQueue.freshName()).name());
    assertThat(other.exists()).isFalse();
    assertThat(other.createIfNotExists()).isTrue();
    assertThat(other.createIfNotExists()).isFalse();
    assertThat(other.exists()).isTrue();
    assertThat(other.deleteIfExists()).isTrue();
    assertThat(other.deleteIfExists()).isFalse();
    expectError(other::downloadAttributes, 404, "QueueNotFound");
  }

  @Test
  @Documented("queue-rest 5.4, 4.1")
  void metadataIsKeptAndListed() throws StorageException, URISyntaxException {
    queue.setMetadata(new HashMap<>(Map.of("team", "sales")));
    queue.uploadMetadata();
    queue.addMessage(new CloudQueueMessage("text"));
    CloudQueue same = client.getQueueReference(queue.getName());
    same.downloadAttributes();
    assertThat(same.getMetadata()).containsEntry("team", "sales");
    assertThat(same.getApproximateMessageCount()).isEqualTo(1);
    Iterable<CloudQueue> listed =
        client.listQueues(
            queue.getName(),
            QueueListingDetails.METADATA,
            new QueueRequestOptions(client.getDefaultRequestOptions()),
            null);
    assertThat(listed)
        .singleElement()
        .satisfies(found -> assertThat(found.getMetadata()).containsEntry("team", "sales"));
  }

  @Test
  @Covers(Area.PAGING)
  @Documented("queue-rest 4.1: segments")
  void queuesAreListedInSegments() throws StorageException, URISyntaxException {
    List<String> expected = new ArrayList<>(List.of(queue.getName()));
    for (int i = 0; i < 4; i++) {
      CloudQueue more =
          client.getQueueReference(ScratchQueue.named(queue.getName() + "-" + i).name());
      more.create();
      expected.add(more.getName());
    }
    List<String> seen = new ArrayList<>();
    ResultSegment<CloudQueue> segment =
        client.listQueuesSegmented(queue.getName(), QueueListingDetails.NONE, 2, null, null, null);
    segment.getResults().forEach(found -> seen.add(found.getName()));
    while (segment.getHasMoreResults()) {
      segment =
          client.listQueuesSegmented(
              queue.getName(),
              QueueListingDetails.NONE,
              2,
              segment.getContinuationToken(),
              null,
              null);
      segment.getResults().forEach(found -> seen.add(found.getName()));
    }
    assertThat(seen).isEqualTo(expected);
  }

  @Test
  @Documented("queue-rest 6.1, 6.2, 6.3, 6.4, 6.5: this client encodes in Base64")
  void aMessageLivesItsLife() throws StorageException {
    CloudQueueMessage sent = new CloudQueueMessage("hello <&> \uD83D\uDE80");
    queue.addMessage(sent);
    assertThat(sent.getPopReceipt()).isNotEmpty();
    CloudQueueMessage peeked = queue.peekMessage();
    assertThat(peeked.getMessageContentAsString()).isEqualTo("hello <&> \uD83D\uDE80");
    assertThat(peeked.getDequeueCount()).isZero();
    CloudQueueMessage taken = queue.retrieveMessage();
    assertThat(taken.getMessageId()).isEqualTo(sent.getMessageId());
    assertThat(taken.getDequeueCount()).isEqualTo(1);
    assertThat(queue.retrieveMessage()).isNull();
    taken.setMessageContent("next step");
    queue.updateMessage(
        taken,
        0,
        EnumSet.of(MessageUpdateFields.CONTENT, MessageUpdateFields.VISIBILITY),
        null,
        null);
    CloudQueueMessage again = queue.retrieveMessage();
    assertThat(again.getMessageContentAsString()).isEqualTo("next step");
    assertThat(again.getDequeueCount()).isEqualTo(2);
    expectError(() -> queue.deleteMessage(taken), 404, "MessageNotFound");
    queue.deleteMessage(again);
    assertThat(queue.peekMessage()).isNull();
  }

  @Test
  @Documented("queue-rest 6.1, 6.4: a message that is sent can be updated and cancelled")
  void aSenderMayCancelItsMessage() throws StorageException {
    CloudQueueMessage delayed = new CloudQueueMessage("later");
    queue.addMessage(delayed, 1000, 100, null, null);
    assertThat(queue.retrieveMessage()).isNull();
    queue.updateMessage(delayed, 50);
    queue.deleteMessage(delayed);
    queue.downloadAttributes();
    assertThat(queue.getApproximateMessageCount()).isZero();
  }

  @Test
  @Covers(Area.TYPES)
  @Documented("queue-rest 6.1: plain text as it arrives")
  void plainTextIsKeptToo() throws StorageException {
    queue.setShouldEncodeMessage(false);
    queue.addMessage(new CloudQueueMessage("<plain> & simple"));
    assertThat(queue.retrieveMessage().getMessageContentAsString()).isEqualTo("<plain> & simple");
  }

  @Test
  @Documented("queue-rest 6.2, 6.6")
  void manyAreRetrievedAtOnceAndCleared() throws StorageException {
    for (int i = 0; i < 34; i++) {
      queue.addMessage(new CloudQueueMessage("m" + i));
    }
    assertThat(queue.peekMessages(32)).hasSize(32);
    assertThat(queue.retrieveMessages(32)).hasSize(32);
    assertThat(queue.retrieveMessages(32)).hasSize(2);
    queue.clear();
    queue.downloadAttributes();
    assertThat(queue.getApproximateMessageCount()).isZero();
  }

  @Test
  @Covers(Area.ACCESS)
  @Documented("queue-rest 3, 5.5: this client signs version 2019-02-02")
  void policiesAndSignaturesOpenTheQueue()
      throws StorageException, InvalidKeyException, URISyntaxException {
    CloudQueue adder = holder(queue.generateSharedAccessSignature(allowing("a"), null));
    adder.addMessage(new CloudQueueMessage("text"));
    expectError(adder::retrieveMessage, 403, "AuthorizationPermissionMismatch");
    QueuePermissions permissions = new QueuePermissions();
    permissions.getSharedAccessPolicies().put("consumers", allowing("p"));
    queue.uploadPermissions(permissions);
    assertThat(queue.downloadPermissions().getSharedAccessPolicies()).containsOnlyKeys("consumers");
    CloudQueue consumer = holder(queue.generateSharedAccessSignature(null, "consumers"));
    eventually(() -> assertThat(consumer.retrieveMessage()).isNotNull());
    queue.uploadPermissions(new QueuePermissions());
    eventually(() -> expectError(consumer::retrieveMessage, 403, "AuthenticationFailed"));
  }

  @Test
  @ResourceLock(AccountProperties.LOCK)
  @Documented("queue-rest 4.2: round trip through the older Java client")
  void servicePropertiesComeBack() throws StorageException {
    AccountProperties before = AccountProperties.remember(ScratchQueue.sharedWire());
    try {
      ServiceProperties properties = new ServiceProperties();
      CorsRule rule = new CorsRule();
      rule.setAllowedMethods(EnumSet.of(CorsHttpMethods.GET));
      rule.setAllowedOrigins(List.of("http://a.example"));
      rule.setMaxAgeInSeconds(12);
      properties.getCors().getCorsRules().add(rule);
      properties.getLogging().setRetentionIntervalInDays(3);
      client.uploadServiceProperties(properties);
      eventually(
          () -> {
            ServiceProperties kept = client.downloadServiceProperties();
            assertThat(kept.getLogging().getRetentionIntervalInDays()).isEqualTo(3);
            assertThat(kept.getCors().getCorsRules()).hasSize(1);
          });
    } finally {
      before.restore();
    }
  }

  @Test
  @Documented("queue-rest 4.3: this client asks the secondary")
  void statisticsAreReadFromTheSecondary() throws StorageException {
    QueueRequestOptions options = new QueueRequestOptions(client.getDefaultRequestOptions());
    options.setLocationMode(LocationMode.SECONDARY_ONLY);
    assertThat(client.getServiceStats(options, null).getGeoReplication().getStatus()).isNotNull();
  }
}
