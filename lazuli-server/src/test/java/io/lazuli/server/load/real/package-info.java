/** Real requests to a packed server in real time: what its diagnoses find, and what they do not. */
package io.lazuli.server.load.real;
