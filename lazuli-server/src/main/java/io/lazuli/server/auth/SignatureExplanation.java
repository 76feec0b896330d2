package io.lazuli.server.auth;

import java.util.List;

/**
 * The text that a request signs, and how it differs from the signature that was sent. Contains no
 * key.
 *
 * @param scheme the scheme that was recognised
 * @param fields the fields of the string-to-sign, in order; empty if there is none
 * @param expected the signature that each key of the account produces, in order
 * @param sent the signature that was sent; empty if there is none
 * @param isRight true if one of the keys signed this request
 * @param remarks faults and suspicions, the most helpful first
 * @param answer the server's answer
 */
public record SignatureExplanation(
    String scheme,
    List<SignedField> fields,
    List<String> expected,
    String sent,
    boolean isRight,
    List<String> remarks,
    String answer) {
  public SignatureExplanation {
    fields = List.copyOf(fields);
    expected = List.copyOf(expected);
    remarks = List.copyOf(remarks);
  }
}
