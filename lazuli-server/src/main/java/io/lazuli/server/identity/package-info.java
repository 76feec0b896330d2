/**
 * Verifies bearer tokens: their form, their claims, and their signature with the keys of the
 * issuers that the operator trusts (auth 8).
 */
@NullMarked
package io.lazuli.server.identity;

import org.jspecify.annotations.NullMarked;
