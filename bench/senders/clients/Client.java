// As fetch.mjs, with Java's own HttpClient.
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;

class Client {
  public static void main(String[] arguments) throws Exception {
    var client = HttpClient.newHttpClient();
    try (var files = Files.list(Path.of(arguments[1]))) {
      for (var file : files.sorted().toList()) {
        var body = Files.readAllBytes(file);
        var start = System.nanoTime();
        var request =
            HttpRequest.newBuilder(URI.create(arguments[0]))
                .header("content-type", "application/x-protobuf")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        var answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        System.out.println((System.nanoTime() - start) / 1e6);
        if (answer.statusCode() != 200) throw new Exception(arguments[0] + " answers " + answer.statusCode());
      }
    }
  }
}
