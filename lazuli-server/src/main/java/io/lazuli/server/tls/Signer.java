package io.lazuli.server.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/** An authority that can sign. */
record Signer(X509Certificate certificate, PrivateKey key) {}
