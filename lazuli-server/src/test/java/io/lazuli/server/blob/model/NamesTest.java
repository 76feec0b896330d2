package io.lazuli.server.blob.model;

import static io.lazuli.server.blob.model.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.error.CommonErrors;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The names of containers, blobs, blocks and snapshots. */
class NamesTest {
  private static final String SIXTY_THREE =
      "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffff123";

  @ParameterizedTest
  @ValueSource(strings = {"abc", "a-b", "123", "a1-b2-c3", SIXTY_THREE, "$root", "$web"})
  void containerNamesThatFollowTheRules(String name) {
    assertThat(ContainerName.require(name).text()).isEqualTo(name);
    assertThat(ContainerName.requireNew(name).isSystem()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a_b", "-ab", "ab-", "a--b", "Abc", "äbc", "a.b", "a b", "$abc"})
  void containerNamesWithOtherCharactersAreRefused(String name) {
    refused(CommonErrors.INVALID_RESOURCE_NAME, () -> ContainerName.require(name));
  }

  @Test
  void containerNamesOfOtherLengthsAreRefused() {
    assertThat(ContainerName.require(SIXTY_THREE).text()).hasSize(63);
    for (String name : List.of("", "ab", SIXTY_THREE + "a", "A_")) {
      refused(CommonErrors.NAME_LENGTH_OUT_OF_RANGE, () -> ContainerName.require(name));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"$logs", "$blobchangefeed"})
  void systemContainersCanBeAddressedButNotMade(String name) {
    assertThat(ContainerName.require(name).isSystem()).isTrue();
    refused(CommonErrors.INVALID_RESOURCE_NAME, () -> ContainerName.requireNew(name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "dir/a b+ü#?%.txt",
        "..",
        "a//b",
        "/",
        "trailing.",
        "trailing/",
        "日本😀",
        "\ufffe\uffff",
        "\ue000"
      })
  void blobNamesAreKeptAsTheyAre(String name) {
    BlobName blob = BlobName.require(name);
    assertThat(blob.text()).isEqualTo(name);
    assertThat(BlobName.ofKey(blob.key().array())).isEqualTo(blob);
  }

  @Test
  void blobNamesHaveABound() {
    assertThat(BlobName.require("ü".repeat(1_024)).text()).hasSize(1_024);
    assertThat(BlobName.require("/".repeat(253)).text()).hasSize(253);
    refused(CommonErrors.NAME_LENGTH_OUT_OF_RANGE, () -> BlobName.require(""));
    refused(CommonErrors.NAME_LENGTH_OUT_OF_RANGE, () -> BlobName.require("a".repeat(1_025)));
    refused(CommonErrors.NAME_LENGTH_OUT_OF_RANGE, () -> BlobName.require("/".repeat(254)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\u0000", "\u001f", "a\nb", "\u0081", "a\ud800", "\udc00"})
  void controlCharactersAndHalfCharactersAreRefused(String name) {
    refused(CommonErrors.INVALID_RESOURCE_NAME, () -> BlobName.require(name));
  }

  @Test
  void keysOfBlobsAreInCodePointOrder() {
    List<String> names = List.of("A", "a", "a/b", "aa", "ü", "\uffff", "😀");
    for (int i = 1; i < names.size(); i++) {
      assertThat(BlobName.require(names.get(i - 1)).key())
          .isLessThan(BlobName.require(names.get(i)).key());
    }
  }

  @Test
  void blockIdsAreBase64OfUpToSixtyFourBytes() {
    assertThat(BlockId.requireParameter("QUFB").text()).isEqualTo("QUFB");
    assertThat(BlockId.requireListed("QUFB")).isEqualTo(BlockId.requireParameter("QUFB"));
    String longest = Base64.getEncoder().encodeToString(new byte[64]);
    assertThat(BlockId.requireParameter(longest).bytes().length()).isEqualTo(64);
    String tooLong = Base64.getEncoder().encodeToString(new byte[65]);
    refused(CommonErrors.OUT_OF_RANGE_INPUT, () -> BlockId.requireParameter(tooLong));
    refused(BlobErrors.INVALID_BLOCK_ID, () -> BlockId.requireListed(tooLong));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "A", "QUF", "QU FB", "QUF_", "QQ=", "QR==", "QUFB\n"})
  void textThatWouldNotComeBackAsItIsIsNoBlockId(String text) {
    assertThat(
            refused(
                CommonErrors.INVALID_QUERY_PARAMETER_VALUE, () -> BlockId.requireParameter(text)))
        .containsEntry("QueryParameterName", "blockid")
        .containsEntry("QueryParameterValue", text)
        .containsEntry("Reason", "Not a valid base64 string.");
    refused(BlobErrors.INVALID_BLOCK_ID, () -> BlockId.requireListed(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2022-07-13T23:45:37.1812758Z",
        "2022-07-13T23:45:37.0000000Z",
        "1601-01-01T00:00:00.0000001Z",
        "9999-12-31T23:59:59.9999999Z"
      })
  void snapshotTimesHaveSevenDecimals(String text) {
    assertThat(SnapshotTime.text(SnapshotTime.requireParameter(text))).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2022-07-13",
        "2022-07-13T23:45:37Z",
        "2022-07-13T23:45:37.181275Z",
        "2022-07-13T23:45:37.18127589Z",
        "2022-07-13T23:45:37.1812758+00:00",
        "2022-13-13T23:45:37.1812758Z",
        "2022-02-30T23:45:37.1812758Z",
        "1600-12-31T23:59:59.9999999Z"
      })
  void otherTimesNameNoSnapshot(String text) {
    assertThat(
            refused(
                CommonErrors.INVALID_QUERY_PARAMETER_VALUE,
                () -> SnapshotTime.requireParameter(text)))
        .containsEntry("QueryParameterName", "snapshot")
        .containsEntry("Reason", "Must be in the specific snapshot date time format.");
  }
}
