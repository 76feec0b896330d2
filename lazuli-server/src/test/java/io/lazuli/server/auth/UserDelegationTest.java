package io.lazuli.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.http.Query;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.TestRequests;
import java.util.Base64;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The test vectors of blob-features 9.5. */
class UserDelegationTest {
  private static final byte[] VALUE =
      Base64.getDecoder().decode("bGF6dWxpLXRlc3QtdXNlci1kZWxlZ2F0aW9uLWtleSE=");
  private static final String KEY =
      "skoid=11111111-1111-1111-1111-111111111111&sktid=22222222-2222-2222-2222-222222222222"
          + "&skt=2024-01-01T00:00:00Z&ske=2024-01-07T00:00:00Z&sks=b&skv=2020-12-06"
          + "&st=2024-01-01T00:00:00Z&se=2034-01-01T00:00:00Z&spr=https,http";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sp=r&sr=b&sv=2019-12-12|dir/file.txt|fCqW5Z7LaYX1l+skwU4Bzrlu7+vAjUQWrGXRxTXV9hw=",
        "sp=r&sr=b&sv=2020-02-10&saoid=33333333-3333-3333-3333-333333333333&scid=44444444-4444-4444-4444-444444444444|dir/file.txt|CBrBX1sr6gwdt5zk6Y+Gvo+U1JrU6b9uzHKSvBo9GYk=",
        "sp=rl&sr=c&sv=2024-11-04||tHmRXyaWIaaMz+ToIbS0vr0hSoEKtK+7zb2MTyJe+/Q=",
        "sp=r&sr=b&sv=2024-11-04|dir/file.txt|HIHQR88Nrg7MsCncVncFfg5kX6n+JYwnMljTXRhihEQ=",
        "sp=r&sr=b&sv=2025-11-05&sduoid=55555555-5555-5555-5555-555555555555|dir/file.txt|OU4TT0tDZptvUKPkQ5KFwuZAR3aErxODVkG/bulhKqE=",
        "sp=r&sr=b&sv=2026-04-06|dir/file.txt|VT0EcqVAc9Zt5hW973t1WjCCzE7SGOvfszTg1jjVy38=",
        "sp=r&sr=b&sv=2026-04-06&srh=x-ms-range&srq=timeout&timeout=30|dir/file.txt|fq3jUpiLEGfUypxTiUyVc3SCk9fBtt/Oy7Oj5Jkvsj4=",
        "sp=r&sr=d&sdd=2&sv=2026-06-06|dir/sub|dgpBGGlRQhS41LZkzkYyVyKmZkgvyyBQ9WEneDNDIx0=",
      })
  void vectorsPass(String parameters, String name, String signature) {
    String resource = name == null ? "mycontainer" : "mycontainer/" + name;
    Request request =
        TestRequests.of(
            "GET",
            "/devstoreaccount1/" + resource + "?" + KEY + "&" + parameters,
            "x-ms-range",
            "bytes=0-3");
    Query query = request.query();
    String text =
        SasForm.ofBlobs()
            .delegationText(SasParameters.of(query), "devstoreaccount1", resource, request);
    assertThat(text).isNotNull();
    assertThat(Signature.fits(text, VALUE, signature)).as(text).isTrue();
    assertThat(Signature.fits(text + "x", VALUE, signature)).isFalse();
  }
}
