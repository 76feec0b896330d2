package io.lazuli.server.tls;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import javax.security.auth.x500.X500Principal;

/**
 * A certificate authority in a folder, for one developer's machine, and its certificate for {@code
 * localhost} or another domain. The authority is constrained to loopback names and addresses and to
 * the domain for which it was made, so trusting it permits nothing else, even if its key is stolen.
 * Only the owner can read the key files.
 */
public final class LocalAuthority {
  /**
   * The validity of the server's certificate. Apple refuses certificates that are valid for longer
   * than 825 days.
   */
  private static final Duration SERVER_VALID = Duration.ofDays(800);

  private static final Duration AUTHORITY_VALID = Duration.ofDays(3650);

  /**
   * Certificates are valid from this long before now, because the clocks of containers and virtual
   * machines are sometimes slow.
   */
  private static final Duration CLOCK_SKEW = Duration.ofHours(1);

  private static final String CURVE = "secp256r1";

  private final Path folder;
  private final String domain;
  private final SecureRandom randomness;
  private final Instant now;

  /**
   * @param domain the domain of the server's certificate, such as {@code localhost}; it is also
   *     valid for the hosts of accounts below the domain
   */
  public LocalAuthority(Path folder, String domain, SecureRandom randomness, Instant now) {
    this.folder = folder;
    this.domain = domain;
    this.randomness = randomness;
    this.now = now;
  }

  /** Returns the authority's certificate, which clients must trust. */
  public Path certificate() {
    return folder.resolve("ca.pem");
  }

  /** Returns the authority's private key. */
  public Path key() {
    return folder.resolve("ca-key.pem");
  }

  /** Returns the server's certificate. */
  public Path serverCertificate() {
    return folder.resolve(domain + ".pem");
  }

  public Path serverKey() {
    return folder.resolve(domain + "-key.pem");
  }

  /**
   * Makes a new certificate for the server, and the authority if there is none yet.
   *
   * @return true if the authority is new
   * @throws TlsException if the files cannot be written, or if an existing authority cannot be used
   */
  public boolean issue() throws TlsException {
    try {
      Files.createDirectories(folder);
      boolean fresh = Files.notExists(certificate()) && Files.notExists(key());
      if (fresh) {
        create();
      }
      Signer signer = signer();
      KeyPair pair = newPair();
      byte[] certificate =
          Certificates.server(
              pair.getPublic(), domain, signer, serial(), now.minus(CLOCK_SKEW), end(signer));
      replace(serverKey(), new Pem("PRIVATE KEY", pair.getPrivate().getEncoded()), true);
      replace(serverCertificate(), new Pem("CERTIFICATE", certificate), false);
      return fresh;
    } catch (IOException e) {
      throw new TlsException("cannot write certificates to " + folder + ": " + e, e);
    } catch (GeneralSecurityException e) {
      throw new TlsException("cannot make certificates: " + e, e);
    }
  }

  private void create() throws IOException, GeneralSecurityException {
    KeyPair pair = newPair();
    BigInteger serial = serial();
    X500Principal name =
        new X500Principal("CN=Lazuli local authority " + serial.toString(16).substring(0, 8));
    byte[] certificate =
        Certificates.authority(
            pair, name, domain, serial, now.minus(CLOCK_SKEW), now.plus(AUTHORITY_VALID));
    replace(key(), new Pem("PRIVATE KEY", pair.getPrivate().getEncoded()), true);
    replace(certificate(), new Pem("CERTIFICATE", certificate), false);
  }

  private Signer signer() throws IOException, TlsException {
    if (Files.notExists(certificate()) || Files.notExists(key())) {
      throw new TlsException(
          "only one of ca.pem and ca-key.pem is in "
              + folder
              + "; remove it to get a new authority");
    }
    TlsIdentity authority =
        TlsIdentity.ofPem(Files.readAllBytes(certificate()), Files.readAllBytes(key()));
    Instant end = authority.certificate().getNotAfter().toInstant();
    if (end.isBefore(now)) {
      throw new TlsException(
          "the authority in "
              + folder
              + " expired at "
              + end
              + "; remove ca.pem and"
              + " ca-key.pem to get a new one");
    }
    if (!Certificates.permits(authority.certificate(), domain)) {
      throw new TlsException(
          "the authority in "
              + folder
              + " cannot vouch for "
              + domain
              + "; use another --folder, or remove ca.pem and ca-key.pem to get a new authority,"
              + " which clients must then trust");
    }
    return new Signer(authority.certificate(), authority.key());
  }

  private Instant end(Signer signer) {
    Instant own = now.plus(SERVER_VALID);
    Instant authority = signer.certificate().getNotAfter().toInstant();
    return own.isBefore(authority) ? own : authority;
  }

  private KeyPair newPair() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec(CURVE), randomness);
    return generator.generateKeyPair();
  }

  /** Returns a serial number that is never zero and, being random, never repeated. */
  private BigInteger serial() {
    return new BigInteger(126, randomness).setBit(126);
  }

  private void replace(Path file, Pem block, boolean secret) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(draft);
    boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    String rights = secret ? "rw-------" : "rw-r--r--";
    FileAttribute<?>[] attributes =
        posix
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights))
            }
            : new FileAttribute<?>[0];
    try (OutputStream out =
        Channels.newOutputStream(
            Files.newByteChannel(
                draft,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                attributes))) {
      out.write(block.text().getBytes(StandardCharsets.US_ASCII));
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
