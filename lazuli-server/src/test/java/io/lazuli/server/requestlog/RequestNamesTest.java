package io.lazuli.server.requestlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.event.Authentication;
import io.lazuli.server.event.RequestEvent.Transfer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The names of the kind, the status and the object of a request in a line. */
class RequestNamesTest {
  @ParameterizedTest
  @CsvSource({
    "200,'',KEY,2019-02-02,Success",
    "201,'',SAS,2019-02-02,SASSuccess",
    "200,'',ANONYMOUS,'',AnonymousSuccess",
    "404,BlobNotFound,KEY,2017-04-17,BlobNotFound",
    "404,BlobNotFound,SAS,2020-12-06,BlobNotFound",
    "404,BlobNotFound,SAS,2015-12-11,SASClientOtherError",
    "409,QueueNotFound,KEY,'',ClientOtherError",
    "304,'',ANONYMOUS,2019-02-02,AnonymousClientOtherError",
    "403,AuthenticationFailed,KEY,2019-02-02,AuthorizationError",
    "403,AuthorizationFailure,SAS,2019-02-02,SASAuthorizationError",
    "401,NoAuthenticationInformation,ANONYMOUS,2019-02-02,AnonymousAuthorizationError",
    "503,ServerBusy,KEY,2019-02-02,ThrottlingError",
    "500,InternalError,KEY,2019-02-02,ServerOtherError",
    "500,OperationTimedOut,SAS,2019-02-02,SASServerTimeoutError",
  })
  void anEndHasAName(
      int status, String code, Authentication authentication, String version, String name) {
    TestRequest request = new TestRequest();
    request.status = status;
    request.errorCode = code;
    request.authentication = authentication;
    assertThat(StatusName.of(request.event(), version, "/acme")).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource({"/acme?timeout=1,ClientTimeoutError", "/acme?a=b,ServerTimeoutError"})
  void aTimeLimitOfTheClientIsItsOwnFault(String target, String name) {
    TestRequest request = new TestRequest();
    request.status = 500;
    request.errorCode = "OperationTimedOut";
    assertThat(StatusName.of(request.event(), "", target)).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource({
    "ANONYMOUS,200,true",
    "ANONYMOUS,304,true",
    "ANONYMOUS,500,true",
    "ANONYMOUS,404,false",
    "ANONYMOUS,403,false",
    "ANONYMOUS,401,false",
    "ANONYMOUS,503,false",
    "KEY,403,true",
    "SAS,404,true",
    "SAS,503,true",
  })
  void failuresOfAnybodyAreNotLogged(Authentication authentication, int status, boolean logged) {
    TestRequest request = new TestRequest();
    request.status = status;
    request.authentication = authentication;
    assertThat(StatusName.isLogged(request.event())).isEqualTo(logged);
  }

  /** Such a request is not in the list of logs-and-metrics 2.3. */
  @Test
  void anAnswerThatNobodySignedForAndThatBrokeOffIsNotLogged() {
    TestRequest request = new TestRequest();
    request.transfer = new Transfer(0, 1024, 39_000_000, 22_000_000, false);
    assertThat(StatusName.isLogged(request.event())).isTrue();
    request.authentication = Authentication.ANONYMOUS;
    assertThat(StatusName.isLogged(request.event())).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "table,127.0.0.1:10002,/acme/Employees()?$top=10,/acme/Employees",
        "table,localhost,\"/acme/T(PartitionKey='a%2Fb',RowKey='c')\",/acme/T",
        "table,localhost,/acme/Tables('Employees'),/acme/Employees",
        "table,localhost,/acme/Tables,/acme/Tables",
        "table,localhost,/acme/$batch,/acme/$batch",
        "table,localhost,/acme,/acme",
        "table,acme.table.localhost:10002,/Employees,/acme/Employees",
        "table,acme-secondary.table.localhost,/Employees,/acme/Employees",
        "table,acme.table.localhost,/acme/Employees,/acme/Employees",
        "queue,acme.queue.localhost,/acme?comp=list,/acme",
        "table,localhost,/acme-secondary/Employees,/acme/Employees",
        "queue,localhost,/acme/orders/messages/id?popreceipt=x,/acme/orders",
        "blob,localhost,/acme/docs/a/b%20c.txt?comp=tags,/acme/docs/a/b c.txt",
        "blob,localhost,/acme/docs?restype=container,/acme/docs",
        "blob,localhost,/acme/docs/a+b%zz,/acme/docs/a+b%zz",
      })
  void anObjectHasAKey(String service, String host, String target, String key) {
    LineBytes line = new LineBytes();
    ObjectKey.append(line, service, "acme", host, target);
    assertThat(TestRequest.text(line)).isEqualTo(key);
  }
}
