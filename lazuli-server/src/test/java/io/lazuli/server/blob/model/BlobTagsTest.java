package io.lazuli.server.blob.model;

import static io.lazuli.server.blob.model.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.tier.AccessTier;
import io.lazuli.server.error.CommonErrors;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The values of small headers: tags, tiers and levels of public access. */
class BlobTagsTest {
  @Test
  void aHeaderOfTagsIsFormEncoded() {
    assertThat(BlobTags.parseHeader("k1=v1&k%202=a+b%2Bc&empty=").values())
        .containsExactly(Map.entry("k1", "v1"), Map.entry("k 2", "a b+c"), Map.entry("empty", ""));
    assertThat(BlobTags.parseHeader("").values()).isEmpty();
    assertThat(BlobTags.parseHeader("a==x").values()).containsEntry("a", "=x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a=1&", "&", "a=%zz"})
  void headersThatCannotBeReadAreRefused(String header) {
    assertThat(refused(CommonErrors.INVALID_HEADER_VALUE, () -> BlobTags.parseHeader(header)))
        .containsEntry("HeaderName", "x-ms-tags");
  }

  @Test
  void tagsHaveBounds() {
    assertThat(BlobTags.parseHeader(tags(10)).values()).hasSize(10);
    assertThat(BlobTags.parseHeader("k".repeat(128) + "=" + "v".repeat(256)).values()).hasSize(1);
    for (String header :
        List.of(
            tags(11), "k".repeat(129) + "=v", "k=" + "v".repeat(257), "k=" + "%20".repeat(300))) {
      refused(BlobErrors.TAGS_TOO_LARGE, () -> BlobTags.parseHeader(header));
    }
    String longHeader = "k=" + "%20".repeat(700);
    refused(CommonErrors.INVALID_HEADER_VALUE, () -> BlobTags.parseHeader(longHeader));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a=%C3%BC", "a=<", "a\t=b", "a%27=b", "a=%22", "a*=b", "a=b,c"})
  void otherCharactersAreRefused(String header) {
    refused(BlobErrors.INVALID_TAG, () -> BlobTags.parseHeader(header));
  }

  @Test
  void namesAreUniqueAndNotEmpty() {
    refused(BlobErrors.EMPTY_TAG_NAME, () -> BlobTags.parseHeader("=v"));
    refused(BlobErrors.DUPLICATE_TAG_NAMES, () -> BlobTags.parseHeader("a=1&a=2"));
    assertThat(BlobTags.parseHeader("a=1&A=2").values()).hasSize(2);
  }

  @Test
  void tagsOfADocumentFollowTheSameRules() {
    assertThat(BlobTags.require(List.of(Map.entry("b", "2"), Map.entry("a", "1"))).values())
        .containsExactly(Map.entry("b", "2"), Map.entry("a", "1"));
    refused(
        BlobErrors.DUPLICATE_TAG_NAMES,
        () -> BlobTags.require(List.of(Map.entry("a", "1"), Map.entry("a", "2"))));
    refused(BlobErrors.EMPTY_TAG_NAME, () -> BlobTags.require(List.of(Map.entry("", "1"))));
  }

  @ParameterizedTest
  @EnumSource(AccessTier.class)
  void tiersAreReadAsTheyAreWritten(AccessTier tier) {
    assertThat(AccessTier.require(tier.text())).isEqualTo(tier);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Archive", "ARCHIVE", "archive", "aRCHIVE"})
  void theLetterCaseOfATierDoesNotMatter(String text) {
    assertThat(AccessTier.require(text)).isEqualTo(AccessTier.ARCHIVE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "H\u00d6T", "P10", "Premium", "Frozen"})
  void otherTiersAreRefused(String text) {
    assertThat(refused(CommonErrors.INVALID_HEADER_VALUE, () -> AccessTier.require(text)))
        .containsEntry("HeaderName", "x-ms-access-tier")
        .containsEntry("HeaderValue", text);
  }

  @Test
  void publicAccessIsNoneUnlessTheHeaderSaysSo() {
    assertThat(PublicAccess.require(null)).isEqualTo(PublicAccess.NONE);
    assertThat(PublicAccess.require("blob")).isEqualTo(PublicAccess.BLOB);
    assertThat(PublicAccess.require("container")).isEqualTo(PublicAccess.CONTAINER);
    refused(CommonErrors.INVALID_HEADER_VALUE, () -> PublicAccess.require(""));
  }

  private static String tags(int count) {
    return IntStream.range(0, count).mapToObj(i -> "k" + i + "=v").collect(Collectors.joining("&"));
  }
}
