package io.lazuli.server.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MaskedTextTest {
  private static final String SECRET = "c2VjcmV0";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/a/c?sv=1&sig=c2VjcmV0&se=2",
        "/a/c?sig=c2VjcmV0",
        "/a/c?SIG=c2VjcmV0",
        "/a/c?Sig=c2VjcmV0",
        "/a/c?%73ig=c2VjcmV0",
        "/a/c?%53%49%47=c2VjcmV0",
        "/a/c?s%69g=c2VjcmV0",
        "/a/c?sig%3Dc2VjcmV0",
        "/a/c?sig%3dc2VjcmV0",
        "/a/c?%2573ig%253Dc2VjcmV0",
        "/a/c?%252573%252569g=c2VjcmV0",
        "/a/c?sv=1&amp;sig=c2VjcmV0&amp;se=2",
        "/a/c?sv=1&amp;SIG%3Dc2VjcmV0",
        "/a/c%3Fsv=1%26sig=c2VjcmV0",
        "/a/c%3Fsig%3Dc2VjcmV0%26se%3D2",
        "/a/c?u=http%3A%2F%2Fh%2Fb%3Fsv%3D1%26sig%3Dc2VjcmV0%253D%26se%3D1",
        "/a/c?sig=x%2Fc2VjcmV0%3D",
        "/a/c?sig=x c2VjcmV0",
        "/a/c?sig=%zzc2VjcmV0",
        "/a/c?sig=one&sig=c2VjcmV0",
        "/a/c#sig=c2VjcmV0",
        "sig=c2VjcmV0",
        "SharedAccessSignature=sv=1&sig=c2VjcmV0;BlobEndpoint=x",
        "GET\n\nx-ms-copy-source:http://h/b?sig=c2VjcmV0%3D\nx-ms-date:d\n/a/b\ncomp:x",
        "GET\n/a/b\ncomp:list\nsig:c2VjcmV0\nsv:1",
        "GET\n/a/b\nsig:one,c2VjcmV0\nsv:1",
      })
  void aSignatureIsMasked(String text) {
    assertThat(MaskedText.of(text)).doesNotContain(SECRET).contains("XXXXX");
    assertThat(MaskedText.withoutSignatures(text)).doesNotContain(SECRET);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "%",
        "%2",
        "%2525",
        "/a/c?sig",
        "/a/c?sign=1&design=2&x=sig",
        "/a/c/sig=1?comp=list",
        "/a/T(PartitionKey='sig=1')",
        "/a/c?prefix=%E2%82%AC%zz",
      })
  void otherTextStaysAsItIs(String text) {
    assertThat(MaskedText.of(text)).isSameAs(text);
  }

  @ParameterizedTest
  @CsvSource({
    "/a?sv=1&sig=x%2By%3D&se=2, /a?sv=1&sig=XXXXX&se=2",
    "/a?u=b%3Fsig%3Dx%26se%3D1, /a?u=b%3Fsig%3DXXXXX%26se%3D1",
    "/a?sv=1&amp;sig=x&amp;se=2, /a?sv=1&amp;sig=XXXXX&amp;se=2",
  })
  void onlyTheValueIsMasked(String text, String masked) {
    assertThat(MaskedText.of(text)).isEqualTo(masked);
  }

  @Test
  void aLongTextCostsLinearTime() {
    String escapes = "%" + "25".repeat(500_000);
    assertThat(MaskedText.of(escapes)).isSameAs(escapes);
    String names = "&sig=".repeat(200_000);
    assertThat(MaskedText.of(names)).hasSize(2 * names.length());
  }
}
