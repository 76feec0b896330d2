package io.lazuli.server.console.page;

import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The files of the console, read once from the class path. All of them are below one prefix that
 * contains a hash of their contents, so that browsers may keep them forever and relative imports
 * work. The modules of the first view are one file ({@link Bundle}). Every other path is the page
 * itself, which decides by the path what it shows.
 */
public final class StaticFiles {
  /** The start of the paths of files; the hash follows. */
  public static final String PREFIX = "/-/c/";

  /** The text in {@code index.html} that stands for the prefix of files. */
  private static final String BASE = "%BASE%";

  private static final String FOLDER = "console";
  private static final String INDEX = "index.html";
  private static final long BYTES_MAX = 4 << 20;

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "mjs", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml",
          "json", "application/json",
          "png", "image/png",
          "ico", "image/x-icon",
          "woff2", "font/woff2",
          "txt", "text/plain; charset=utf-8");

  private static final String ABSENT =
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Lazuli</title>"
          + "<p>This server was built without the console's page. Its routes below /api/v1 work.";

  /** A file and its compressed form. */
  private record StaticFile(byte[] bytes, byte[] gzip, String type) {
    static StaticFile of(String name, byte[] bytes) {
      String end = name.substring(name.lastIndexOf('.') + 1);
      return new StaticFile(
          bytes, gzip(bytes), TYPES.getOrDefault(end, "application/octet-stream"));
    }

    private static byte[] gzip(byte[] bytes) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
        gzip.write(bytes);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return out.toByteArray();
    }
  }

  private final Map<String, StaticFile> files = new TreeMap<>();
  private final String base;
  private final @Nullable StaticFile index;

  private StaticFiles(Map<String, byte[]> sources) {
    Map<String, byte[]> contents = Bundle.of(sources);
    base = PREFIX + hash(contents);
    contents.forEach((name, bytes) -> files.put(name, StaticFile.of(name, bytes)));
    byte[] page = contents.get(INDEX);
    index =
        page == null
            ? null
            : StaticFile.of(
                INDEX,
                new String(page, StandardCharsets.UTF_8)
                    .replace(BASE, base)
                    .getBytes(StandardCharsets.UTF_8));
  }

  /** Reads the files from the class path; there may be none. */
  public static StaticFiles ofClassPath() {
    return of(StaticFiles.class.getClassLoader());
  }

  static StaticFiles of(ClassLoader loader) {
    try {
      URL folder = loader.getResource(FOLDER + "/" + INDEX);
      return new StaticFiles(folder == null ? Map.of() : read(folder));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static StaticFiles of(Map<String, byte[]> contents) {
    return new StaticFiles(contents);
  }

  private static Map<String, byte[]> read(URL index) throws IOException {
    URLConnection connection = index.openConnection();
    Map<String, byte[]> contents =
        connection instanceof JarURLConnection jar ? ofJar(jar) : ofFolder(index);
    long bytes = contents.values().stream().mapToLong(each -> each.length).sum();
    if (bytes > BYTES_MAX) {
      throw new IllegalStateException("the files of the console are too large");
    }
    return contents;
  }

  private static Map<String, byte[]> ofJar(JarURLConnection connection) throws IOException {
    Map<String, byte[]> contents = new TreeMap<>();
    String folder = FOLDER + "/";
    connection.setUseCaches(false);
    try (JarFile jar = connection.getJarFile()) {
      List<JarEntry> entries =
          jar.stream()
              .filter(entry -> !entry.isDirectory() && entry.getName().startsWith(folder))
              .toList();
      for (JarEntry entry : entries) {
        try (InputStream in = jar.getInputStream(entry)) {
          contents.put(entry.getName().substring(folder.length()), in.readAllBytes());
        }
      }
    }
    return contents;
  }

  private static Map<String, byte[]> ofFolder(URL index) throws IOException {
    Map<String, byte[]> contents = new TreeMap<>();
    try {
      URI uri = index.toURI();
      Path folder = Path.of(uri).getParent();
      if (folder == null) {
        return contents;
      }
      try (Stream<Path> found = Files.walk(folder)) {
        for (Path file : found.filter(Files::isRegularFile).toList()) {
          String name = folder.relativize(file).toString().replace('\\', '/');
          contents.put(name, Files.readAllBytes(file));
        }
      }
    } catch (URISyntaxException e) {
      throw new IOException("the class path has a folder that is not a URI", e);
    }
    return contents;
  }

  private static String hash(Map<String, byte[]> contents) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      new TreeMap<>(contents)
          .forEach(
              (name, bytes) -> {
                digest.update((name + "\0" + bytes.length + "\0").getBytes(StandardCharsets.UTF_8));
                digest.update(bytes);
              });
      return HexFormat.of().formatHex(digest.digest()).substring(0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Returns the prefix of the files, with the hash. */
  String base() {
    return base;
  }

  /** Answers a request for a file or for the page. */
  public Response answer(Request request) {
    String path = request.rawPath();
    if (path.startsWith(PREFIX)) {
      StaticFile file =
          path.startsWith(base + "/") ? files.get(path.substring(base.length() + 1)) : null;
      return file == null
          ? text(404, "There is no such file.")
          : body(request, Response.of(200), file)
              .header("Cache-Control", "public, max-age=31536000, immutable")
              .build();
    }
    StaticFile page = index;
    if (page == null) {
      return Response.of(404)
          .header("Cache-Control", "no-store")
          .body("text/html; charset=utf-8", ABSENT.getBytes(StandardCharsets.UTF_8))
          .build();
    }
    String etag = "\"" + base.substring(PREFIX.length()) + "\"";
    Response.Builder out =
        etag.equals(request.header("If-None-Match"))
            ? Response.of(304)
            : body(request, Response.of(200), page);
    return out.header("ETag", etag).header("Cache-Control", "no-cache").build();
  }

  private static Response.Builder body(Request request, Response.Builder out, StaticFile file) {
    String accepted = request.header("Accept-Encoding");
    boolean gzip = accepted != null && accepted.contains("gzip");
    out.header("Vary", "Accept-Encoding");
    if (gzip) {
      out.header("Content-Encoding", "gzip");
    }
    return out.body(file.type, gzip ? file.gzip : file.bytes);
  }

  private static Response text(int status, String text) {
    return Response.of(status)
        .header("Cache-Control", "no-store")
        .body("text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8))
        .build();
  }
}
