/**
 * The development identity: an issuer of tokens on loopback, in the forms that the credentials of
 * the Azure SDKs ask for.
 */
@NullMarked
package io.lazuli.server.development;

import org.jspecify.annotations.NullMarked;
