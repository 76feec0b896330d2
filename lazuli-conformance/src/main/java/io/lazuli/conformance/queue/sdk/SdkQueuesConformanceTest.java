package io.lazuli.conformance.queue.sdk;

import static io.lazuli.conformance.support.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.rest.PagedIterable;
import com.azure.core.util.Context;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import com.azure.storage.common.sas.AccountSasPermission;
import com.azure.storage.common.sas.AccountSasResourceType;
import com.azure.storage.common.sas.AccountSasService;
import com.azure.storage.common.sas.AccountSasSignatureValues;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueClientBuilder;
import com.azure.storage.queue.QueueMessageEncoding;
import com.azure.storage.queue.QueueServiceClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import com.azure.storage.queue.models.PeekedMessageItem;
import com.azure.storage.queue.models.QueueAccessPolicy;
import com.azure.storage.queue.models.QueueCorsRule;
import com.azure.storage.queue.models.QueueErrorCode;
import com.azure.storage.queue.models.QueueItem;
import com.azure.storage.queue.models.QueueMessageItem;
import com.azure.storage.queue.models.QueueServiceProperties;
import com.azure.storage.queue.models.QueueSignedIdentifier;
import com.azure.storage.queue.models.QueueStorageException;
import com.azure.storage.queue.models.QueuesSegmentOptions;
import com.azure.storage.queue.models.SendMessageResult;
import com.azure.storage.queue.models.UpdateMessageResult;
import com.azure.storage.queue.sas.QueueSasPermission;
import com.azure.storage.queue.sas.QueueServiceSasSignatureValues;
import io.lazuli.conformance.Account;
import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.queue.ScratchQueue;
import io.lazuli.conformance.wire.AccountProperties;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The queue service through the official Java client, except statistics: version 12.29.0 cannot
 * read them, because it expects another root element.
 */
@Covers(value = Area.OPERATIONS, service = StorageService.QUEUE)
class SdkQueuesConformanceTest {

  private static final Account ACCOUNT = AccountUnderTest.get(StorageService.QUEUE);
  private static final QueueServiceClient SERVICE =
      new QueueServiceClientBuilder()
          .connectionString(ACCOUNT.connectionString())
          .retryOptions(retries())
          .buildClient();

  private final QueueClient queue =
      SERVICE.createQueue(ScratchQueue.named(ScratchQueue.freshName()).name());

  /**
   * Returns the retry options. A service other than the packed server may throttle us, which is
   * unrelated to the case.
   */
  private static RequestRetryOptions retries() {
    int tries = AccountUnderTest.isElsewhere() ? 4 : 1;
    Duration pause = Duration.ofSeconds(1);
    return new RequestRetryOptions(
        RetryPolicyType.FIXED, tries, Duration.ofSeconds(30), pause, pause, null);
  }

  private static void expectRefused(ThrowingCallable call, int status, QueueErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            QueueStorageException.class,
            e -> {
              assertThat(e.getStatusCode()).isEqualTo(status);
              assertThat(e.getErrorCode()).isEqualTo(code);
            });
  }

  private static List<QueueMessageItem> receive(QueueClient from, int most, int seconds) {
    PagedIterable<QueueMessageItem> received =
        from.receiveMessages(most, Duration.ofSeconds(seconds), null, Context.NONE);
    return received.stream().toList();
  }

  private static OffsetDateTime inHours(int hours) {
    return OffsetDateTime.now(ZoneOffset.UTC).plusHours(hours);
  }

  @Test
  @Documented("queue-rest 5.2, 5.3, 11: createIfNotExists and deleteIfExists")
  void aQueueIsCreatedAndDeletedOnce() {
    QueueClient other = SERVICE.getQueueClient(ScratchQueue.named(ScratchQueue.freshName()).name());
    assertThat(other.createIfNotExists()).isTrue();
    Map<String, String> metadata = Map.of("a", "b");
    assertThat(other.createIfNotExistsWithResponse(metadata, null, Context.NONE).getValue())
        .isFalse();
    expectRefused(
        () -> other.createWithResponse(metadata, null, Context.NONE),
        409,
        QueueErrorCode.QUEUE_ALREADY_EXISTS);
    assertThat(other.deleteIfExists()).isTrue();
    assertThat(other.deleteIfExists()).isFalse();
    expectRefused(other::getProperties, 404, QueueErrorCode.QUEUE_NOT_FOUND);
  }

  @Test
  @Documented("queue-rest 5.4")
  void metadataAndCountAreProperties() {
    queue.setMetadata(Map.of("Team", "sales", "b", "2"));
    queue.sendMessage("one");
    queue.sendMessageWithResponse("two", Duration.ofSeconds(100), null, null, Context.NONE);
    assertThat(queue.getProperties().getMetadata())
        .containsEntry("Team", "sales")
        .containsEntry("b", "2");
    assertThat(queue.getProperties().getApproximateMessagesCountLong()).isEqualTo(2);
    queue.setMetadata(null);
    assertThat(queue.getProperties().getMetadata()).isEmpty();
  }

  @Test
  @Covers(Area.PAGING)
  @Documented("queue-rest 4.1")
  void queuesAreListedPageByPage() {
    String prefix = queue.getQueueName();
    for (int i = 0; i < 4; i++) {
      String name = ScratchQueue.named(prefix + "-" + i).name();
      SERVICE.createQueueWithResponse(name, Map.of("n", "v" + i), null, Context.NONE);
    }
    QueuesSegmentOptions options =
        new QueuesSegmentOptions().setPrefix(prefix).setMaxResultsPerPage(2);
    assertThat(SERVICE.listQueues(options, null, Context.NONE))
        .extracting(QueueItem::getName)
        .containsExactly(prefix, prefix + "-0", prefix + "-1", prefix + "-2", prefix + "-3");
    options.setIncludeMetadata(true).setPrefix(prefix + "-3");
    assertThat(SERVICE.listQueues(options, null, Context.NONE))
        .singleElement()
        .satisfies(item -> assertThat(item.getMetadata()).containsEntry("n", "v3"));
  }

  @Test
  @Documented("queue-rest 6.1, 6.2, 6.3, 6.4, 6.5")
  void aMessageIsSentPeekedReceivedUpdatedAndDeleted() {
    SendMessageResult sent = queue.sendMessage("hello <&> \uD83D\uDE80\r\n");
    PeekedMessageItem peeked = queue.peekMessage();
    assertThat(peeked.getBody()).hasToString("hello <&> \uD83D\uDE80\r\n");
    assertThat(peeked.getDequeueCount()).isZero();
    QueueMessageItem received = queue.receiveMessage();
    assertThat(received.getMessageId()).isEqualTo(sent.getMessageId());
    assertThat(received.getDequeueCount()).isEqualTo(1);
    assertThat(received.getBody()).hasToString("hello <&> \uD83D\uDE80\r\n");
    assertThat(queue.receiveMessage()).isNull();
    UpdateMessageResult updated =
        queue.updateMessage(
            received.getMessageId(), received.getPopReceipt(), "next step", Duration.ZERO);
    QueueMessageItem again = queue.receiveMessage();
    assertThat(again.getBody()).hasToString("next step");
    assertThat(again.getDequeueCount()).isEqualTo(2);
    expectRefused(
        () -> queue.deleteMessage(again.getMessageId(), updated.getPopReceipt()),
        404,
        QueueErrorCode.MESSAGE_NOT_FOUND);
    queue.deleteMessage(again.getMessageId(), again.getPopReceipt());
    assertThat(queue.peekMessage()).isNull();
  }

  @Test
  @Documented("queue-rest 6.4, 11: a change of visibility alone keeps the text")
  void visibilityIsExtendedWithoutTouchingTheText() {
    queue.sendMessage("text");
    QueueMessageItem taken = queue.receiveMessage();
    UpdateMessageResult kept =
        queue.updateMessage(
            taken.getMessageId(), taken.getPopReceipt(), null, Duration.ofSeconds(100));
    assertThat(kept.getTimeNextVisible()).isAfter(taken.getTimeNextVisible());
    queue.updateMessage(taken.getMessageId(), kept.getPopReceipt(), null, Duration.ZERO);
    assertThat(queue.receiveMessage().getBody()).hasToString("text");
  }

  @Test
  @Documented("queue-rest 6.1: delay and time to live")
  void delayAndTimeToLiveAreKept() {
    SendMessageResult sent =
        queue
            .sendMessageWithResponse(
                "later", Duration.ofSeconds(60), Duration.ofSeconds(-1), null, Context.NONE)
            .getValue();
    assertThat(sent.getExpirationTime().getYear()).isEqualTo(9999);
    assertThat(Duration.between(sent.getInsertionTime(), sent.getTimeNextVisible()))
        .isEqualTo(Duration.ofSeconds(60));
    assertThat(queue.receiveMessage()).isNull();
    queue.deleteMessage(sent.getMessageId(), sent.getPopReceipt());
  }

  @Test
  @Documented("queue-rest 6.2, 6.6")
  void manyAreReceivedAtOnceAndCleared() {
    for (int i = 0; i < 40; i++) {
      queue.sendMessage("m" + i);
    }
    assertThat(receive(queue, 32, 60)).hasSize(32);
    assertThat(receive(queue, 32, 60)).hasSize(8);
    assertThat(queue.peekMessages(32, null, Context.NONE)).isEmpty();
    queue.clearMessages();
    assertThat(queue.getProperties().getApproximateMessagesCountLong()).isZero();
  }

  @Test
  @Covers(Area.TYPES)
  @Documented("queue-rest 6.1: Base64 is a client matter")
  void anEncodingClientReadsItsOwn() {
    QueueClient encoding =
        new QueueClientBuilder()
            .connectionString(ACCOUNT.connectionString())
            .queueName(queue.getQueueName())
            .messageEncoding(QueueMessageEncoding.BASE64)
            .buildClient();
    encoding.sendMessage("\u0001 not for XML");
    assertThat(queue.peekMessage().getBody()).hasToString("ASBub3QgZm9yIFhNTA==");
    assertThat(encoding.receiveMessage().getBody()).hasToString("\u0001 not for XML");
  }

  @Test
  @Covers(Area.ERRORS)
  @Documented("queue-rest 6.1, 6.2, 7.2, 8: codes as the client names them")
  void refusalsHaveTheCodesOfTheClient() {
    expectRefused(
        () -> receive(queue, 33, 30), 400, QueueErrorCode.OUT_OF_RANGE_QUERY_PARAMETER_VALUE);
    expectRefused(
        () -> queue.sendMessage("x".repeat(65_537)), 413, QueueErrorCode.REQUEST_BODY_TOO_LARGE);
    SendMessageResult sent = queue.sendMessage("text");
    expectRefused(
        () -> queue.deleteMessage(sent.getMessageId(), "invalid"),
        400,
        QueueErrorCode.INVALID_QUERY_PARAMETER_VALUE);
    expectRefused(() -> SERVICE.createQueue("a_b"), 400, QueueErrorCode.INVALID_RESOURCE_NAME);
  }

  @Test
  @Covers(Area.ACCESS)
  @Documented("queue-rest 3, 5.5: a policy and a signature that names it")
  void aPolicyGovernsItsSignatures() {
    QueueAccessPolicy policy =
        new QueueAccessPolicy()
            .setPermissions("rap")
            .setStartsOn(inHours(-1))
            .setExpiresOn(inHours(1));
    queue.setAccessPolicy(
        List.of(new QueueSignedIdentifier().setId("consumers").setAccessPolicy(policy)));
    assertThat(queue.getAccessPolicy())
        .singleElement()
        .satisfies(
            kept -> {
              assertThat(kept.getId()).isEqualTo("consumers");
              assertThat(kept.getAccessPolicy().getPermissions()).isEqualTo("rap");
            });
    QueueClient bound = holder(new QueueServiceSasSignatureValues("consumers"));
    eventually(() -> bound.sendMessage("text"));
    QueueMessageItem taken = bound.receiveMessage();
    expectRefused(
        () -> bound.updateMessage(taken.getMessageId(), taken.getPopReceipt(), "x", Duration.ZERO),
        403,
        QueueErrorCode.AUTHORIZATION_PERMISSION_MISMATCH);
    queue.setAccessPolicy(List.of());
    eventually(() -> expectRefused(bound::peekMessage, 403, QueueErrorCode.AUTHENTICATION_FAILED));
  }

  private QueueClient holder(QueueServiceSasSignatureValues values) {
    return new QueueClientBuilder()
        .endpoint(ACCOUNT.base())
        .queueName(queue.getQueueName())
        .sasToken(queue.generateSas(values))
        .retryOptions(retries())
        .buildClient();
  }

  @Test
  @Covers(Area.ACCESS)
  @Documented("queue-rest 3: signatures that this client makes")
  void aSignatureOpensTheQueueForItsLetters() {
    QueueClient all =
        holder(new QueueServiceSasSignatureValues(inHours(1), QueueSasPermission.parse("raup")));
    all.sendMessage("text");
    assertThat(all.peekMessage()).isNotNull();
    assertThat(all.getProperties().getApproximateMessagesCountLong()).isEqualTo(1);
    QueueMessageItem taken = all.receiveMessage();
    UpdateMessageResult updated =
        all.updateMessage(taken.getMessageId(), taken.getPopReceipt(), "next", Duration.ZERO);
    all.deleteMessage(taken.getMessageId(), updated.getPopReceipt());
    expectRefused(all::clearMessages, 403, QueueErrorCode.AUTHORIZATION_FAILURE);
    QueueClient reader =
        holder(new QueueServiceSasSignatureValues(inHours(1), QueueSasPermission.parse("r")));
    expectRefused(reader::receiveMessage, 403, QueueErrorCode.AUTHORIZATION_PERMISSION_MISMATCH);
    QueueClient late =
        holder(new QueueServiceSasSignatureValues(inHours(-1), QueueSasPermission.parse("raup")));
    expectRefused(late::peekMessage, 403, QueueErrorCode.AUTHENTICATION_FAILED);
  }

  @Test
  @Covers(Area.ACCESS)
  @Documented("queue-rest 3: account signatures that this client makes")
  void anAccountSignatureOpensTheServiceForItsLetters() {
    String token =
        SERVICE.generateAccountSas(
            new AccountSasSignatureValues(
                inHours(1),
                AccountSasPermission.parse("rwdlacup"),
                AccountSasService.parse("q"),
                AccountSasResourceType.parse("sco")));
    QueueServiceClient holder =
        new QueueServiceClientBuilder()
            .endpoint(ACCOUNT.base())
            .sasToken(token)
            .retryOptions(retries())
            .buildClient();
    QueueClient made = holder.createQueue(ScratchQueue.named(ScratchQueue.freshName()).name());
    made.sendMessage("text");
    assertThat(made.receiveMessage().getBody()).hasToString("text");
    made.clearMessages();
    QueuesSegmentOptions options = new QueuesSegmentOptions().setPrefix(made.getQueueName());
    assertThat(holder.listQueues(options, null, Context.NONE)).hasSize(1);
    made.delete();
    expectRefused(
        () -> holder.getQueueClient(queue.getQueueName()).getAccessPolicy().stream().toList(),
        403,
        QueueErrorCode.AUTHORIZATION_FAILURE);
  }

  @Test
  @ResourceLock(AccountProperties.LOCK)
  @Documented("queue-rest 4.2: read, change, write back")
  void servicePropertiesComeBack() {
    AccountProperties before = AccountProperties.remember(ScratchQueue.sharedWire());
    try {
      QueueServiceProperties properties = SERVICE.getProperties();
      QueueCorsRule rule =
          new QueueCorsRule()
              .setAllowedMethods("GET,PUT")
              .setAllowedOrigins("http://a.example")
              .setAllowedHeaders("x-ms-*")
              .setExposedHeaders("x-ms-*")
              .setMaxAgeInSeconds(12);
      properties.setCors(List.of(rule));
      properties.getAnalyticsLogging().setDelete(true);
      SERVICE.setProperties(properties);
      eventually(
          () -> {
            QueueServiceProperties kept = SERVICE.getProperties();
            assertThat(kept.getCors()).hasSize(1);
            assertThat(kept.getCors().get(0).getMaxAgeInSeconds()).isEqualTo(12);
            assertThat(kept.getAnalyticsLogging().isDelete()).isTrue();
          });
    } finally {
      before.restore();
    }
  }
}
