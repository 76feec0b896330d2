package io.lazuli.transfer.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sends requests to one service, signs them, and repeats those that failed for a passing reason.
 * Safe for use by several threads. All methods block.
 */
public final class StorageClient {
  /** A version that Azure and every emulator of the last years know. */
  private static final String VERSION = "2021-12-02";

  private static final int ATTEMPTS_MAX = 8;
  private static final long PAUSE_MILLIS_MIN = 100;
  private static final long PAUSE_MILLIS_MAX = 10_000;

  /** More of an error than anybody reads. */
  private static final int ERROR_BYTES_MAX = 64 * 1024;

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT);
  private static final Pattern JSON_CODE = Pattern.compile("\"code\"\\s*:\\s*\"([^\"]*)\"");
  private static final Pattern JSON_TEXT = Pattern.compile("\"value\"\\s*:\\s*\"([^\"\\\\]*)");
  private static final Pattern XML_CODE = Pattern.compile("<Code>([^<]*)</Code>");
  private static final Pattern XML_TEXT = Pattern.compile("<Message>([^<\n]*)");

  private final Endpoint endpoint;
  private final HttpClient http;

  public StorageClient(Endpoint endpoint) {
    this.endpoint = endpoint;
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(20))
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  public Endpoint endpoint() {
    return endpoint;
  }

  /** Sends a request whose answer has nothing of interest but its success. */
  public void call(Call call) {
    call(call, Answer::text);
  }

  /**
   * Sends a request and reads its answer.
   *
   * @throws ServiceFailure if the service answers with an error, after all repetitions
   */
  public <T> T call(Call call, Answer.Reader<T> reader) {
    for (int attempt = 1; ; attempt++) {
      long pause = Math.min(PAUSE_MILLIS_MIN << attempt, PAUSE_MILLIS_MAX);
      try {
        return once(call, reader);
      } catch (ServiceFailure e) {
        if (!e.isPassing() || attempt == ATTEMPTS_MAX) {
          throw e;
        }
      } catch (IOException e) {
        if (attempt == ATTEMPTS_MAX) {
          throw new TransferException(endpoint + " does not answer: " + reason(e), e);
        }
      }
      sleep(pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1));
    }
  }

  private <T> T once(Call call, Answer.Reader<T> reader) throws IOException {
    HttpResponse<InputStream> response;
    try {
      response = http.send(request(call), HttpResponse.BodyHandlers.ofInputStream());
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    try (InputStream body = response.body()) {
      if (response.statusCode() >= 300) {
        throw failure(response.statusCode(), response.headers(), body);
      }
      return reader.read(new Answer(response.statusCode(), response.headers(), body));
    }
  }

  private HttpRequest request(Call call) {
    Map<String, String> headers = new TreeMap<>(call.headers());
    headers.put("x-ms-version", VERSION);
    headers.put("x-ms-date", DATE.format(ZonedDateTime.now(ZoneOffset.UTC)));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(call))
            .timeout(Duration.ofMinutes(5))
            .method(call.method(), call.publisher());
    headers.forEach(request::setHeader);
    if (endpoint.key() != null) {
      request.setHeader("authorization", SharedKey.authorization(endpoint, call, headers));
    }
    return request.build();
  }

  private URI uri(Call call) {
    StringBuilder url = new StringBuilder(endpoint.base()).append(call.path());
    char separator = '?';
    Map<String, String> all = new TreeMap<>(call.query());
    all.putAll(endpoint.sas());
    for (Map.Entry<String, String> parameter : all.entrySet()) {
      url.append(separator).append(Percent.encode(parameter.getKey())).append('=');
      url.append(Percent.encode(parameter.getValue()));
      separator = '&';
    }
    return URI.create(url.toString());
  }

  private static ServiceFailure failure(int status, HttpHeaders headers, InputStream body)
      throws IOException {
    String text = new String(body.readNBytes(ERROR_BYTES_MAX), StandardCharsets.UTF_8);
    return failure(status, headers.firstValue("x-ms-error-code").orElse(""), text);
  }

  /** Reads the code and the message of an error from its body, in JSON or XML. */
  public static ServiceFailure failure(int status, String code, String body) {
    String shown = code.isEmpty() ? first(body, JSON_CODE, XML_CODE) : code;
    return new ServiceFailure(status, shown, first(body, JSON_TEXT, XML_TEXT).strip());
  }

  private static String first(String text, Pattern... patterns) {
    for (Pattern pattern : patterns) {
      Matcher found = pattern.matcher(text);
      if (found.find()) {
        return found.group(1);
      }
    }
    return "";
  }

  private static String reason(IOException e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static TransferException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new TransferException("interrupted", e);
  }
}
