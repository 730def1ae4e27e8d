// Every word the page shows in Turkish; `typeof tr` is what the English must say too.
// `code` in backticks and *strong* in asterisks are set by `rich`.
import { count } from "../format";

const ntr = (value: number) => count("tr", value);

export const tr = {
  title: "Gömme: bir kelime nasıl sayı olur?",
  brand: "gömme",
  skip: "İçeriğe geç",
  language: "Dil",
  appearance: "Görünüm",
  light: "Açık",
  dark: "Koyu",
  system: "Sisteme uy",
  copyLink: "Bağlantıyı kopyala",
  copied: "Kopyalandı",
  linkTooLong: (kept: number) => `Kopyalandı; metnin ilk ${ntr(kept)} karakteri sığdı`,
  linkByHand: "Bağlantı burada, seçili; kopyalayabilirsin",
  linkByHandCut: (kept: number) => `Bağlantı burada, seçili; metnin ilk ${ntr(kept)} karakteri sığdı`,
  reset: "Sıfırla",
  wasReset: "Her şey ilk haline döndü",
  textReplaced: "Metin değişti",
  undo: "Geri al",
  close: "Kapat",
  followed: "Bir bağlantıyla buraya geldin.",
  goBack: "Geri dön",
  resetHint: "Her şeyi ilk haline döndürür; aynı sayılar yeniden çıkar",
  sections: "Bölümler",
  short: ["Giriş", "Metin", "Vektör", "Gradyan", "CAS", "Yarış", "Hız", "Kernel", "Eğit"],

  badge: {
    starting: "Aygıt aranıyor…",
    hidden: "adını tarayıcı gizliyor",
    gpu: "Ekran kartı",
    software: (name: string) => (name ? `Yazılım adaptörü: ${name}` : "Yazılım adaptörü"),
    cpu: "İşlemci ikizi çalışıyor",
    failed: "Başlatılamadı",
    adapter: "[Adaptör](#g-adapter)",
    inSoftware:
      "Ekran kartı değil: GPU komutlarını işlemcide taklit eden bir yazılım. Sonuçlar doğrudur, süreler ekran kartını anlatmaz.",
    f16Yes: "var, tablo doğrudan f16 okunur",
    f16No: "yok, aynı tablo paketli `u32` olarak okunur",
    buffer: "[Arabellek](#g-buffer) sınırı",
    clock: "[Zaman damgası](#g-timestamp)",
    yes: "var",
    no: "yok",
    why: "Neden işlemci",
    how: "WebGPU için",
    cpuNote:
      "Kernellerin işlemcideki ikizleri aynı hesabı yapar; her şey çalışır, yalnız yarış görülmez: tek işçi var.",
    reason: {
      "no-webgpu": "Bu tarayıcı `navigator.gpu` sunmuyor.",
      "no-adapter": "Tarayıcıda WebGPU var ama bir adaptör vermedi",
      "no-device": "Tarayıcı bir adaptör buldu ama adaptör aygıt (`GPUDevice`) vermedi",
      insecure:
        "Sayfa güvenli bir adresten açılmadı; WebGPU yalnız HTTPS’te, localhost’ta ve diskten açılan dosyada vardır.",
      other: "GPU kullanılamadı",
    },
    howIn: {
      insecure: "Sayfayı HTTPS üzerinden ya da localhost’tan aç.",
      firefox: "Firefox: `about:config` sayfasında `dom.webgpu.enabled` değerini true yap, tarayıcıyı yeniden başlat.",
      chromium:
        "Chrome, Edge: ayarlarda “donanım hızlandırma” açık olsun; `chrome://gpu` nedenini söyler. Linux’ta `chrome://flags/#enable-unsafe-webgpu` gerekebilir.",
      safari: "Safari: macOS 26, iOS 26 ya da sonrası gerekir.",
      other: "Güncel bir Chrome, Edge, Firefox ya da Safari kullan.",
    },
  },
  lost: (times: number) =>
    times === 1
      ? "Aygıt bir kez kayboldu (sürücü sıfırlandı ya da bellek bitti). Yenisi kuruldu, son hesap yeniden yapıldı."
      : `Aygıt ${ntr(times)} kez kayboldu. Her seferinde yenisi kuruldu, son hesap yeniden yapıldı.`,
  failed: "Bir şey yolunda gitmedi:",
  loadingVectors: (loaded: string, total: string) => `Vektörler geliyor: ${loaded} / ${total}`,
  vectorsFailed:
    "Vektörler gelmedi. Tokenlar, gradyan ve geçme sayıları yine çalışır; tabloyu isteyen resimler boş kalır. Sayfayı yenile.",

  held: {
    label: "Seçili token",
    at: "konum",
    hits: "geçme sayısı",
    adds: "toplama",
    retries: "yeniden deneme",
    none: "Metin boş: seçili token yok.",
    and: (list: string, more: number) => (more > 0 ? `${list} ve ${ntr(more)} konum daha` : list),
  },

  figure: {
    table: "Sayılar",
    hideTable: "Sayıları kapat",
    png: "PNG",
    csv: "CSV",
    json: "JSON",
    save: (what: string, kind: string) => `${what}: ${kind} olarak indir`,
    more: (shown: number, all: number) =>
      `İlk ${ntr(shown)} satır görünüyor; ${ntr(all)} satırın hepsi CSV ve JSON dosyalarında.`,
    failed: "Resim yapılamadı",
    nothing: "Burada henüz sayı yok; önce ölç.",
    working: "hazırlanıyor…",
  },
  page: {
    of: (from: number, to: number, all: number) => `${ntr(from)}–${ntr(to)} / ${ntr(all)}`,
    before: "Öncekiler",
    after: "Sonrakiler",
  },

  hero: {
    title: "Bir kelime nasıl sayı olur?",
    lead: (word: string, id: string) =>
      `Diyelim elinde ${word} var. Bilgisayar kelimeleri değil, sayıları işler. Tokenizer bu parçaya bir numara verir: ${id}. Numara yalnız bir sıradır: sözlük kurulurken sık parçalar öne düşmüştür. Büyük ya da küçük olması anlam taşımaz; anlamı taşıyan, tabloda o numaranın karşısında duran 384 sayıdır.`,
    leadOutside: (id: string) =>
      `Seçili numara ${id}, ama sözlükte böyle bir numara yok. Tabloda karşısında bir satır durmaz; kernel onun yerine 384 sıfır yazar. Bir parçaya tıkla: anlamı taşıyan, numaranın karşısındaki 384 sayıdır.`,
    leadEmpty:
      "Bilgisayar kelimeleri değil, sayıları işler. Tokenizer her parçaya bir numara verir; anlamı taşıyan, tabloda o numaranın karşısında duran 384 sayıdır. Metin boş: bir şey yaz.",
    here: "Bu sayfa o tabloyu *senin aygıtında* okur, gradyanı geri yazar ve arada olanı gösterir. Ölçülen her sayı burada ölçülür; başka yerden gelenin yanında kaynağı yazar. Yazdığın hiçbir şey sayfadan çıkmaz.",
    needs:
      "*Gereken:* Python’da bir döngü okuyabilmek. GPU bilgisi 7. bölüme kadar gerekmez; altı noktalı terimler [sözlükçeye](#glossary) götürür. Sayfa, [embedding](#g-embedding) kernellerini anlatan Türkçe bir ders notundan yola çıktı; [“belge”](#corrections) derken onu kastediyoruz.",
    loop: "İşin tamamı üç satır:",
    loopForward: "satırı oku",
    loopBackward: "satıra ekle",
    atOnce:
      "[GPU](#g-gpu) bu döngüyü sırayla dönmez: *bütün s’ler, her s’nin 384 sayısı aynı anda* yürür. Okurken sorun yok. Ama aynı token iki konumda geçiyorsa iki [thread](#g-thread) `grad`’ın aynı satırına birden ekler. Sayfanın geri kalanı bu çarpışmayı anlatır.",
    word: "parça",
    id: "numara",
    row: (id: string) => `tablonun ${id}. satırı: 384 sayı`,
    zeroRow: "sözlükte yok: 384 sıfır",
    strip: (piece: string) => `${piece} satırının 384 değeri, renk şeridi olarak`,
  },

  s1: {
    title: "Metin → token",
    say: (v: number) =>
      `[Tokenizer](#g-tokenizer) metni, [sözlüğündeki](#g-vocabulary) ${ntr(v)} parçaya böler; her parça bir [token](#g-token). \`▁\` işareti parçanın önündeki boşluktur, metnin başına da eklenir. Bir parçanın üstüne gel: harfleri, satırı, [kaç kez geçtiği](#g-hits) ve çarpıştığı [konumlar](#g-position) birlikte vurgulanır. Tıklarsan seçili kalır.`,
    formula: (v: number) => ["metin → t[0] … t[N−1]", `0 ≤ t < V = ${ntr(v)}`],
    presets: "Hazır metinler",
    preset: ["Kedi ile köpek", "İstanbul’da", "IŞIK ve ışık", "2024 ☕", "Uzun masal"],
    /** Translations of the samples, where the page's language is not theirs. */
    translations: [] as string[],
    translation: "",
    vocabularyNote: "",
    text: "Metin",
    chips: "Tokenlar",
    letters: "karakter",
    tokens: "token",
    different: "ayrı satır",
    addOutside: "Sözlük dışı bir numara ekle",
    outside: "sözlük dışı",
    outsideNow: (k: number) => `Gradyanda ${ntr(k)} konum atlandı.`,
    piece: "parça",
    id: "numara",
    position: "konum",
    start: "başlangıç",
    end: "bitiş",
    keySelected: "seçili",
    keySame: "aynı satır",
    keyHover: "imlecin altındaki",
    tail: (head: number, tail: number) =>
      `Kutuda metnin ilk ${ntr(head)} karakteri duruyor. Kalan ${ntr(tail)} karakter arkasında: o da okunur, sayılır, dosyalara girer. Bağlantıya metnin başı sığar.`,
    dropTail: "Kalanı bırak",
    reading: (part: string) => `Okunuyor: %${part}`,
    limited: (shown: number, all: number) =>
      `Metinde ${ntr(all)} token var. Hepsi sayıldı; kernellere ilk ${ntr(shown)} tanesi girer, resimler onları gösterir.`,
    hardCuts: (cuts: number) =>
      `Metinde çok uzun, boşluksuz bölümler var; ${ntr(cuts)} yerde kesilerek okundu. Kesik yerlerinde parçalar başka çıkabilir.`,
    empty: "Metin boş. Bir şey yaz ya da hazır metinlerden birini seç.",
  },

  s2: {
    title: "Token → vektör",
    say: (v: number) =>
      `Tablo dev bir dizidir: ${ntr(v)} [satır](#g-row), 384 sütun. \`embed_lookup\` [kerneli](#g-kernel) her token için bir satır çeker; sözlük dışı numarada 0 yazar. Aşağıdaki her hücre ayrı bir [thread](#g-thread)’in işidir: bir kez okur, bir kez yazar.`,
    threads: (n: number, all: number, exact: string, groups: number) =>
      `${ntr(n)} × 384 = ${ntr(all)} thread. [Çalışma grubu](#g-workgroup) 256 thread’dir: ${ntr(all)} / 256 = ${exact}${
        Number.isInteger(all / 256)
          ? ", tam bölünüyor"
          : `, yukarı yuvarlanır: ${ntr(groups)} grup başlar, son gruptaki ${ntr(groups * 256 - all)} thread işsizdir ve hemen döner`
      }.`,
    formula: ["out[s, d] = table[tokens[s], d]", "tokens[s] ≥ V ise 0"],
    out: "Çıktı",
    shape: (n: number) => `N × D = ${ntr(n)} × 384`,
    map: "Çıktının ısı haritası. Ok tuşlarıyla hücreden hücreye gez; değer hücrenin künyesinde okunur.",
    waiting: "Vektörler gelince burada tablonun satırları belirecek.",
    norm: "norm",
    least: "en küçük",
    most: "en büyük",
    own: (steps: number, trained: number, width: number, wide: number) =>
      `Şimdi 8. bölümde *eğittiğin tablo* burada: ${ntr(steps)} adım, ${ntr(trained)} satır, her biri ${width} sütun (kalan ${wide - width} sütun sıfır, normlar 1). Eğitilmemiş satırlar da sıfır.`,
    putBack: "Hazır tabloyu geri koy",
  },

  question: "Düşün",
  /** Turkish words in the page's language, where that is another. */
  glosses: {} as { readonly [word: string]: string },
};

export type Strings = typeof tr;
